#include "match/match_state.h"

#include <string.h>

static bool copy(char *to, size_t size, const char *from)
{
    return game_summary_copy(to, size, from, strlen(from));
}

static bool tell_seat(const struct match *m, int i, struct summary_seat *seat)
{
    const char *digest = m->config.digest[i];

    seat->has_digest = digest;
    return copy(seat->name, sizeof seat->name, m->config.name[i]) &&
           copy(seat->version, sizeof seat->version,
                digest ? digest : version_of(m, i));
}

bool match_summary(const struct match *m, struct game_summary *b)
{
    *b = (struct game_summary){.game = m->config.game,
                               .seats = m->seats,
                               .moves = m->moves,
                               .has_seed = reveals_seed(m),
                               .bytes = m->record.taken + m->record.text.len};
    if (m->resumed || m->record.off || !m->record.closed ||
        !summary_about(b, m->config.about))
        return false;
    for (int i = 0; i < m->seats; i++)
        if (!tell_seat(m, i, &b->seat[i]))
            return false;
    return summary_result(b, m->end.text) &&
           (b->status == SUMMARY_VOID) == m->is_void;
}
