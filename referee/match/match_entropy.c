#include "match/match_state.h"

#include <string.h>

/* None, if the deal is known already or was chosen. */
static bool may_ask(const struct match *m)
{
    return m->config.asks_entropy && !m->config.entropy && !m->resumed &&
           m->config.deal && m->config.seed && !m->config.seed_is_chosen;
}

void ask_entropy(struct match *m, int64_t now_us)
{
    if (m->has_asked_entropy || !may_ask(m))
        return;
    m->has_asked_entropy = true;
    m->start_deadline_us = plus(now_us, m->config.start_us);
    for (int i = 0; i < m->seats; i++) {
        struct seat *s = &m->seat[i];

        if (m->failed & SEAT(i) || !talk_wants(s->talk, COMMAND_ENTROPY))
            continue;
        s->owes_entropy = true;
        talk_begin(s->talk, COMMAND_ENTROPY);
        talk_end(s->talk);
        depart_if_stuck(m, i);
    }
}

/* Any other answer adds nothing. */
void take_entropy(struct match *m, int i, const struct answer *answer)
{
    struct seat *s = &m->seat[i];

    if (!s->owes_entropy)
        return;
    s->owes_entropy = false;
    if (answer->ok && is_contribution(answer->text, strlen(answer->text)))
        strcpy(s->entropy, answer->text);
}

void mix_entropy(struct match *m)
{
    uint8_t seed[SEED_BYTES];
    bool is_any = false;
    char *at = m->entropy;

    for (int i = 0; i < m->seats; i++) {
        const char *word = m->seat[i].entropy;

        is_any = is_any || *word;
        at = jot_text(at, " ", i > 0);
        at = *word ? jot_text(at, word, strlen(word)) : jot_text(at, "-", 1);
    }
    *at = '\0';
    if (!is_any)
        return;
    m->config.entropy = m->entropy;
    seed_mix(m->config.seed, m->entropy, seed);
    game_deal(m->config.game, &m->config.setup, seed, &m->deal);
    m->config.deal = m->deal.text;
}

const char *match_entropy(const struct match *m)
{
    return m->config.entropy;
}
