/* hostile.h - what the parts of the hostile bot share. */

#include <stdbool.h>

enum { NEAR = 4000 }; /* processes that started when we did */

/* "attack NAME worked", on stderr. */
void tell(const char *name, bool worked);

/* hostile_channels.c: two seats, one of which sends a bit. */
bool send_all(const char *unused);
bool take_all(const char *unused);

/* hostile_hidden.c: so many mebibytes. */
bool fill_undumpable(const char *mebibytes);
bool fill_in_thread(const char *mebibytes);
bool fill_posted(const char *mebibytes);
bool fill_shared(const char *mebibytes);
bool fill_headless(const char *mebibytes);
bool fill_unreadable(const char *mebibytes);

/* hostile_machine.c */
bool clocks_of_others(const char *unused);
bool descriptor_of_others(const char *unused);
bool groups_of_others(const char *unused);
bool signal_by_file(const char *unused);
bool take_all_aio(const char *unused);
bool huge_pages(const char *unused);
bool sync_all(const char *unused);
bool change_flags(const char *path);
bool core_of_its_own(const char *unused);
