#ifndef REFEREE_STORE_CATCH_UP_H
#define REFEREE_STORE_CATCH_UP_H

/*
 * catch_up.h - add to an index the games that a crash or a power failure kept
 * from it.
 *
 * The index does not wait for the disk, records do. So a file of a day can have
 * more games than the index knows of; it says up to where it has the file. And
 * the last record there can be torn, if its writer was killed: it is cut off,
 * and its game goes on in running/. The same if only its seal is missing.
 */

#include "store/archive.h"
#include "store/signing.h"

/*
 * Only what this key has sealed for its ladder counts. `on_damaged` hears of
 * records that cannot be added, and of lost ones.
 */
bool catch_up(const char *data, struct index *index,
              const struct signing_key *key, const struct archive_news *news,
              struct err *err) MUST_CHECK;

#endif
