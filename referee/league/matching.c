#include "league/matching.h"

#include "base/pool.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * A node is a vertex, 0 .. n-1, or a blossom: an odd ring of nodes that counts
 * as one. A top node lies in no blossom. Every top node is FREE, or in a tree:
 * EVEN like its root, which has no mate yet, or ODD.
 *
 * The price of a vertex is in halves of the cost. No pair of top nodes costs
 * less than the prices of its ends; it is tight if it costs just as much. The
 * price of a blossom is what its ring has grown too dear since it shrank.
 */

enum label { FREE, EVEN, ODD };

enum { NONE = -1 };

/* A pair of vertices, one in each of two nodes. */
struct edge {
    int16_t u, v;
};

struct node {
    int64_t price;
    enum label label;
    int top;   /* node that holds it; NONE: a blossom that does not exist */
    int mate;  /* vertex at the other end of its pair, or NONE */
    int from;  /* of ODD nodes: the vertex from which the tree grew here */
    int near;  /* the EVEN vertex elsewhere with the least gap, or NONE */
    int seen;  /* by the last walk to a root */
    int *ring; /* of a blossom; the first has the mate outside */
    int ring_len;
    int16_t *part; /* of a blossom: which node of the ring holds a vertex */
};

struct matcher {
    int n;
    int nodes; /* the most there can be */
    const int64_t *cost;
    struct node *node;
    struct edge *edge; /* nodes x nodes: the tightest between two */
    int *queue; /* EVEN vertices whose pairs have not been examined yet */
    int head, tail;
    int walks;
    struct pool pool;
};

static struct edge *edge_between(const struct matcher *m, int a, int b)
{
    return &m->edge[a * m->nodes + b];
}

static int64_t gap(const struct matcher *m, const struct edge *e)
{
    return 2 * m->cost[e->u * m->n + e->v] - m->node[e->u].price -
           m->node[e->v].price;
}

static bool is_top(const struct matcher *m, int a)
{
    return m->node[a].top == a;
}

static enum label label_of(const struct matcher *m, int vertex)
{
    return m->node[m->node[vertex].top].label;
}

static void set_top(struct matcher *m, int a, int top)
{
    m->node[a].top = top;
    for (int i = 0; i < m->node[a].ring_len; i++)
        set_top(m, m->node[a].ring[i], top);
}

/* Put the vertices of an EVEN node on the list to examine. */
static void enqueue(struct matcher *m, int a)
{
    if (a < m->n)
        m->queue[m->tail++] = a;
    for (int i = 0; i < m->node[a].ring_len; i++)
        enqueue(m, m->node[a].ring[i]);
}

/* The EVEN vertex that is nearest to a node. */

static void come_near(struct matcher *m, int vertex, int a)
{
    struct node *node = &m->node[a];

    if (node->near == NONE || gap(m, edge_between(m, vertex, a)) <
                                  gap(m, edge_between(m, node->near, a)))
        node->near = vertex;
}

static void find_near(struct matcher *m, int a)
{
    m->node[a].near = NONE;
    for (int v = 0; v < m->n; v++)
        if (m->node[v].top != a && label_of(m, v) == EVEN)
            come_near(m, v, a);
}

/* Rings. */

static void reverse(int *from, int *end)
{
    while (from < end) {
        int swap = *from;

        *from++ = *--end;
        *end = swap;
    }
}

/* Turn the ring so that `member` is an even number of steps from the first. */
static int steps_to(struct matcher *m, int blossom, int member)
{
    struct node *b = &m->node[blossom];
    int i = 0;

    while (b->ring[i] != member)
        i++;
    if (i % 2 == 0)
        return i;
    reverse(b->ring + 1, b->ring + b->ring_len);
    return b->ring_len - i;
}

/* Let the ring begin with its i-th. */
static void begin_ring(struct node *b, int i)
{
    reverse(b->ring, b->ring + i);
    reverse(b->ring + i, b->ring + b->ring_len);
    reverse(b->ring, b->ring + b->ring_len);
}

/* Make b the partner of a. Inside a blossom, pair the other nodes anew. */
static void set_mate(struct matcher *m, int a, int b)
{
    const struct edge *e = edge_between(m, a, b);
    struct node *node = &m->node[a];
    int member, steps;

    node->mate = e->v;
    if (a < m->n)
        return;
    member = node->part[e->u];
    steps = steps_to(m, a, member);
    for (int i = 0; i < steps; i++)
        set_mate(m, node->ring[i], node->ring[i ^ 1]);
    set_mate(m, member, b);
    begin_ring(node, steps);
}

/* Trees. */

/* The EVEN node two steps nearer to the root, or NONE. */
static int up(const struct matcher *m, int a)
{
    int odd;

    if (m->node[a].mate == NONE)
        return NONE;
    odd = m->node[m->node[a].mate].top;
    return m->node[m->node[odd].from].top;
}

/* Where the ways from two EVEN nodes to their roots meet, or NONE. */
static int meeting(struct matcher *m, int a, int b)
{
    m->walks++;
    while (a != NONE || b != NONE) {
        int swap = a;

        if (a != NONE) {
            if (m->node[a].seen == m->walks)
                return a;
            m->node[a].seen = m->walks;
            swap = up(m, a);
        }
        a = b;
        b = swap;
    }
    return NONE;
}

/* Pair a with b, and all on the way from a to its root anew. */
static void pair_up(struct matcher *m, int a, int b)
{
    for (;;) {
        int odd = m->node[a].mate, parent;

        set_mate(m, a, b);
        if (odd == NONE)
            return;
        odd = m->node[odd].top;
        parent = m->node[m->node[odd].from].top;
        set_mate(m, odd, parent);
        a = parent;
        b = odd;
    }
}

/* All from a up to, but without, the end go into the ring. */
static void take_in(struct matcher *m, struct node *ring, int a, int end)
{
    while (a != end) {
        int odd = m->node[m->node[a].mate].top;

        ring->ring[ring->ring_len++] = a;
        ring->ring[ring->ring_len++] = odd;
        enqueue(m, odd);
        a = m->node[m->node[odd].from].top;
    }
}

static int new_blossom(struct matcher *m)
{
    int b = m->n;

    while (m->node[b].top != NONE)
        b++;
    assert(b < m->nodes);
    m->node[b].ring_len = 0;
    return b;
}

static void note_part(struct matcher *m, int blossom, int member, int a)
{
    if (a < m->n)
        m->node[blossom].part[a] = (int16_t)member;
    for (int i = 0; i < m->node[a].ring_len; i++)
        note_part(m, blossom, member, m->node[a].ring[i]);
}

/* The edges of a blossom are the tightest of its members'. */
static void gather_edges(struct matcher *m, int blossom)
{
    const struct node *b = &m->node[blossom];

    for (int i = 0; i < b->ring_len; i++) {
        int member = b->ring[i];

        note_part(m, blossom, member, member);
        for (int x = 0; x < m->nodes; x++) {
            struct edge *own = edge_between(m, blossom, x);
            const struct edge *e = edge_between(m, member, x);

            if (m->node[x].top == NONE || x == blossom)
                continue;
            if (i > 0 && gap(m, e) >= gap(m, own))
                continue;
            *own = *e;
            *edge_between(m, x, blossom) = (struct edge){e->v, e->u};
        }
    }
}

/* a and b, EVEN, have a tight edge, and their ways meet: one ring of it all. */
static void shrink(struct matcher *m, int a, int b, int meet)
{
    int id = new_blossom(m);
    struct node *ring = &m->node[id];

    ring->ring[ring->ring_len++] = meet;
    take_in(m, ring, a, meet);
    reverse(ring->ring + 1, ring->ring + ring->ring_len);
    take_in(m, ring, b, meet);
    ring->label = EVEN;
    ring->price = 0;
    ring->mate = m->node[meet].mate;
    set_top(m, id, id);
    gather_edges(m, id);
    find_near(m, id);
}

/* Make a member of an expanded ring a tree node, or free it. */
static void relabel(struct matcher *m, int a, enum label label, int from)
{
    struct node *node = &m->node[a];

    node->label = label;
    node->from = from;
    node->near = NONE;
    if (label == EVEN)
        enqueue(m, a);
}

/* An ODD blossom without a price falls apart; half of it stays in the tree. */
static void expand(struct matcher *m, int id)
{
    struct node *b = &m->node[id];
    int entry = b->part[edge_between(m, id, b->from)->u];
    int steps = steps_to(m, id, entry);

    for (int i = 0; i < b->ring_len; i++)
        set_top(m, b->ring[i], b->ring[i]);
    for (int i = 0; i < steps; i += 2) {
        int odd = b->ring[i], even = b->ring[i + 1];

        relabel(m, odd, ODD, edge_between(m, even, odd)->u);
        relabel(m, even, EVEN, NONE);
    }
    relabel(m, entry, ODD, b->from);
    for (int i = steps + 1; i < b->ring_len; i++)
        relabel(m, b->ring[i], FREE, NONE);
    b->top = NONE;
    for (int i = 0; i < b->ring_len; i++)
        if (m->node[b->ring[i]].label != ODD)
            find_near(m, b->ring[i]);
    b->ring_len = 0;
}

/* A tight edge from an EVEN vertex; true if it gave two roots a mate. */
static bool use_edge(struct matcher *m, int u, int b)
{
    int a = m->node[u].top, mate, meet;

    if (m->node[b].label == FREE) {
        mate = m->node[m->node[b].mate].top;
        relabel(m, b, ODD, u);
        relabel(m, mate, EVEN, NONE);
        return false;
    }
    meet = meeting(m, a, b);
    if (meet != NONE) {
        shrink(m, a, b, meet);
        return false;
    }
    pair_up(m, a, b);
    pair_up(m, b, a);
    return true;
}

/* Look at all pairs of a vertex. */
static bool scan(struct matcher *m, int u)
{
    for (int v = 0; v < m->n; v++) {
        int a = m->node[u].top, b = m->node[v].top;

        if (a == b || m->node[b].label == ODD)
            continue;
        if (gap(m, edge_between(m, u, v)) > 0)
            come_near(m, u, b);
        else if (use_edge(m, u, b))
            return true;
    }
    return false;
}

/* Prices. */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/*
 * How far the prices may move before a pair becomes tight or a blossom falls
 * apart.
 */
static int64_t room(const struct matcher *m)
{
    int64_t room = INT64_MAX;

    for (int a = 0; a < m->nodes; a++) {
        const struct node *node = &m->node[a];

        if (!is_top(m, a))
            continue;
        if (node->label == ODD && a >= m->n)
            room = least(room, node->price / 2);
        else if (node->label == FREE && node->near != NONE)
            room = least(room, gap(m, edge_between(m, node->near, a)));
        else if (node->label == EVEN && node->near != NONE)
            room = least(room, gap(m, edge_between(m, node->near, a)) / 2);
    }
    return room;
}

static void move_prices(struct matcher *m, int64_t by)
{
    for (int v = 0; v < m->n; v++)
        if (label_of(m, v) == EVEN)
            m->node[v].price += by;
        else if (label_of(m, v) == ODD)
            m->node[v].price -= by;
    for (int b = m->n; b < m->nodes; b++)
        if (is_top(m, b) && m->node[b].label == EVEN)
            m->node[b].price += 2 * by;
        else if (is_top(m, b) && m->node[b].label == ODD)
            m->node[b].price -= 2 * by;
}

/* The edges that have become tight. */
static bool use_tight(struct matcher *m)
{
    for (int a = 0; a < m->nodes; a++) {
        const struct node *node = &m->node[a];

        if (is_top(m, a) && node->label != ODD && node->near != NONE &&
            m->node[node->near].top != a &&
            gap(m, edge_between(m, node->near, a)) == 0 &&
            use_edge(m, node->near, a))
            return true;
    }
    return false;
}

static void expand_all(struct matcher *m)
{
    for (int b = m->n; b < m->nodes; b++)
        if (is_top(m, b) && m->node[b].label == ODD && m->node[b].price == 0)
            expand(m, b);
}

/* Start a tree from each node that has no mate. */
static bool plant(struct matcher *m)
{
    m->head = m->tail = 0;
    for (int a = 0; a < m->nodes; a++) {
        m->node[a].label = FREE;
        m->node[a].near = NONE;
    }
    for (int a = 0; a < m->nodes; a++)
        if (is_top(m, a) && m->node[a].mate == NONE)
            relabel(m, a, EVEN, NONE);
    return m->tail > 0;
}

/* Two more vertices get mates. */
static void grow(struct matcher *m)
{
    for (;;) {
        int64_t by;

        while (m->head < m->tail) {
            int u = m->queue[m->head++];

            if (label_of(m, u) == EVEN && scan(m, u))
                return;
        }
        by = room(m);
        assert(by < INT64_MAX);
        move_prices(m, by);
        if (use_tight(m))
            return;
        expand_all(m);
    }
}

static void matcher_init(struct matcher *m, int n, const int64_t *cost)
{
    int64_t cheapest = MATCHING_COST_MAX;

    *m = (struct matcher){.n = n, .nodes = n + n / 2, .cost = cost};
    m->node = pool_take(&m->pool, (size_t)m->nodes * sizeof *m->node);
    m->edge = pool_take(&m->pool,
                        (size_t)m->nodes * (size_t)m->nodes * sizeof *m->edge);
    m->queue = pool_take(&m->pool, (size_t)n * sizeof *m->queue);
    for (int i = 0; i < n * n; i++)
        if (i / n != i % n)
            cheapest = least(cheapest, cost[i]);
    for (int a = 0; a < m->nodes; a++) {
        struct node *node = &m->node[a];

        *node = (struct node){
            .price = cheapest, .mate = NONE, .top = a < n ? a : NONE};
        if (a >= n) {
            node->ring = pool_take(&m->pool, (size_t)n * sizeof *node->ring);
            node->part = pool_take(&m->pool, (size_t)n * sizeof *node->part);
        }
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            *edge_between(m, a, b) = (struct edge){(int16_t)a, (int16_t)b};
}

void matching_cheapest(int n, const int64_t *cost, int *mate)
{
    struct matcher m;

    assert(n % 2 == 0 && n <= MATCHING_MAX);
    matcher_init(&m, n, cost);
    while (plant(&m))
        grow(&m);
    for (int v = 0; v < n; v++)
        mate[v] = m.node[v].mate;
    pool_release(&m.pool);
}
