/* hostile.h - what the parts of the hostile bot share. */

#include <stdbool.h>

enum { NEAR = 4000 }; /* processes that started when we did */

/* "attack NAME worked", on stderr. */
void tell(const char *name, bool worked);

/* hostile_channels.c: two seats, one of which sends a bit. */
bool send_all(const char *unused);
bool take_all(const char *unused);
