#include "base/date.h"

#include "base/text.h"

#include <stddef.h>
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

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leaps = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return month == 2 && leaps ? 29 : days[month - 1];
}

/* Two digits, and this after them. */
static bool take_part(const char **at, int min, int max, char after, int *part)
{
    const char *text = *at;

    if (!is_digit(text[0]) || !is_digit(text[1]) || text[2] != after)
        return false;
    *part = 10 * (text[0] - '0') + (text[1] - '0');
    *at += 3;
    return *part >= min && *part <= max;
}

bool date_is(const char *text)
{
    const char *at = text;
    int century, year, month, day, part;

    if (!is_digit(at[0]) || !is_digit(at[1]))
        return false;
    century = 10 * (at[0] - '0') + (at[1] - '0');
    at += 2;
    return take_part(&at, 0, 99, '-', &year) &&
           take_part(&at, 1, 12, '-', &month) &&
           take_part(&at, 1, days_of(100 * century + year, month), 'T', &day) &&
           take_part(&at, 0, 23, ':', &part) &&
           take_part(&at, 0, 59, ':', &part) &&
           take_part(&at, 0, 59, 'Z', &part) && *at == '\0';
}
