#ifndef REFEREE_STATUS_H
#define REFEREE_STATUS_H

/*
 * status.h - what a daemon says about itself, for people. host/control.h has
 * the JSON that comes in.
 */

#include "base/buf.h"

#include <jansson.h>

void show_status(const json_t *status, bool colour, struct buf *out);
void show_games(const json_t *games, struct buf *out);

#endif
