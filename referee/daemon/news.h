#ifndef REFEREE_DAEMON_NEWS_H
#define REFEREE_DAEMON_NEWS_H

/*
 * news.h - tells the owners of network bots about their games, if they have
 * asked for it. Section 6.6 of protocol.md lists all kinds of news; waiting.c
 * tells the rest.
 */

#include "daemon/units.h"

void news_game(const struct unit *unit); /* it begins */
void news_over(const struct unit *unit, const struct match *match);

#endif
