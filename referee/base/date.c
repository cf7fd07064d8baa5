#include "base/date.h"

#include <time.h>

const char *date_text(struct date *date, long long second)
{
    time_t then = (time_t)second;
    const struct tm *utc;

    if (date->second == second && date->text[0])
        return date->text;
    date->second = second;
    utc = gmtime(&then);
    if (!utc || strftime(date->text, sizeof date->text, "%Y-%m-%dT%H:%M:%SZ",
                         utc) != DATE_TEXT)
        date->text[0] = '\0'; /* outside every calendar */
    return date->text;
}

void date_name(long long second, char name[DATE_NAME_TEXT + 1])
{
    time_t then = (time_t)second;
    const struct tm *utc = gmtime(&then);

    if (!utc || strftime(name, DATE_NAME_TEXT + 1, "%Y%m%d-%H%M%S", utc) == 0)
        name[0] = '\0';
}
