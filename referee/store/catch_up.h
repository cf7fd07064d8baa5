#ifndef REFEREE_STORE_CATCH_UP_H
#define REFEREE_STORE_CATCH_UP_H

/*
 * catch_up.h - add games to an index that missed them in a crash or a power
 * failure.
 *
 * Records are synced to the disk, but the index is not. So the file of a day
 * may have more games than the index. The index stores how far it has read each
 * file. The last record in a file may be torn if its writer was killed, or may
 * lack its seal. It is then cut off, and its game continues in running/.
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
