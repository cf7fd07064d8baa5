#ifndef REFEREE_STORE_CATCH_UP_H
#define REFEREE_STORE_CATCH_UP_H

/*
 * catch_up.h - add games to an index that missed them in a crash or a power
 * failure.
 *
 * Records wait for the disk, but the index does not. So a file of a day can
 * have more games than the index knows of. The index knows up to where it has
 * the file. The last record there can be torn if its writer was killed, or lack
 * its seal. It is then cut off, and its game continues in running/.
 */

#include "store/archive.h"
#include "store/signing.h"

/*
 * Only records that this key has sealed for its ladder count. `on_damaged` is
 * told of records that cannot be added, and of lost ones.
 */
bool catch_up(const char *data, struct index *index,
              const struct signing_key *key, const struct archive_news *news,
              struct err *err) MUST_CHECK;

#endif
