/*
 * Rule tests for Axiom, made by hand from the rules, to be played with
 * ownpair=loss. Lists of moves are separated by blanks; `after` says what a
 * move leads to: "MOVE winner=b|w|- reason=WORD|- remove=CELL|-", joined by
 * ';'. `sceptre` names all sceptre moves, or is NULL.
 */

/* clang-format off */
static const struct rule_case {
    const char *name, *position, *contact;
    int sceptre_moves, cube_moves;
    const char *legal, *illegal, *after, *sceptre;
} rule_cases[] = {
    {
        .name = "T01 convex edge, table, dome",
        .position = "b0,0,1W;w9,9,1E|b0,0,1U;w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 3,
        .cube_moves = 0,
        .sceptre = "S0,0,1U/0,0,1E S0,0,1U/0,0,1N S0,0,1U/0,0,1S",
    },
    {
        .name = "T02 concave corner: climb, cross the top, go down the far "
                "side",
        .position = "b0,0,1W;b1,0,1U;b1,0,2N;w9,9,1E|b0,0,1U;w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 6,
        .cube_moves = 88,
        .sceptre = "S0,0,1U/0,0,1N S0,0,1U/0,0,1S S0,0,1U/1,0,1E "
                   "S0,0,1U/1,0,2E S0,0,1U/1,0,2U S0,0,1U/1,0,2W",
    },
    {
        .name = "T03 one-cell gap (cube Z of Abb.16): cross, do not stop; "
                "closed loop",
        .position = "b0,0,1U;b0,1,1U;b0,2,1U;b2,1,1U;w9,9,1E|b0,0,1E;w9,9,1U|"
                    "b",
        .contact = "edge",
        .sceptre_moves = 6,
        .cube_moves = 352,
        .sceptre = "S0,0,1E/0,0,1S S0,0,1E/0,0,1W S0,0,1E/0,1,1W "
                   "S0,0,1E/0,2,1E S0,0,1E/0,2,1N S0,0,1E/0,2,1W",
    },
    {
        .name = "T04 air cell taken by sceptre Y (Abb.16): cross, do not stop",
        .position = "b0,0,1W;b1,0,1S;b2,0,1E;w1,1,1U;w1,1,2N|b0,0,1U;w1,1,2S|"
                    "b",
        .contact = "edge",
        .sceptre_moves = 3,
        .cube_moves = 124,
        .legal = "S0,0,1U/2,0,1U",
        .illegal = "S0,0,1U/1,0,1U",
        .sceptre = "S0,0,1U/0,0,1N S0,0,1U/0,0,1S S0,0,1U/2,0,1U",
    },
    {
        .name = "T05 head-on, two empty cells: forbidden",
        .position = "b0,0,1W;w3,0,1E|b0,0,1U;w3,0,1W|b",
        .contact = "edge",
        .sceptre_moves = 2,
        .cube_moves = 0,
        .illegal = "S0,0,1U/0,0,1E",
        .sceptre = "S0,0,1U/0,0,1N S0,0,1U/0,0,1S",
    },
    {
        .name = "T06 head-on, three empty cells: allowed",
        .position = "b0,0,1W;w4,0,1E|b0,0,1U;w4,0,1W|b",
        .contact = "edge",
        .sceptre_moves = 3,
        .cube_moves = 0,
        .sceptre = "S0,0,1U/0,0,1E S0,0,1U/0,0,1N S0,0,1U/0,0,1S",
    },
    {
        .name = "T07 edge-only contact: diagonal step on top",
        .position = "b0,0,1W;w1,1,1E|b0,0,1U;w1,1,1N|b",
        .contact = "edge",
        .sceptre_moves = 4,
        .cube_moves = 0,
        .legal = "S0,0,1U/1,1,1U",
        .after = "S0,0,1U/1,1,1U winner=b reason=sceptre remove=-",
        .sceptre = "S0,0,1U/0,0,1E S0,0,1U/0,0,1N S0,0,1U/0,0,1S "
                   "S0,0,1U/1,1,1U",
    },
    {
        .name = "T08 edge-only contact: side step round the inner corner",
        .position = "b0,0,1U;w1,1,1U;w9,9,1E|b0,0,1E;w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 7,
        .cube_moves = 0,
        .sceptre = "S0,0,1E/0,0,1N S0,0,1E/0,0,1S S0,0,1E/0,0,1W "
                   "S0,0,1E/1,1,1E S0,0,1E/1,1,1N S0,0,1E/1,1,1S "
                   "S0,0,1E/1,1,1W",
    },
    {
        .name = "T09 isolated group: no crossing",
        .position = "b0,0,1U;w2,0,1U;w9,9,1E|b0,0,1N;w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 2,
        .cube_moves = 0,
        .sceptre = "S0,0,1N/0,0,1S S0,0,1N/0,0,1W",
    },
    {
        .name = "T10 diagonal squeezed between two towers: blocked",
        .position = "b0,0,1W;b1,0,1U;b1,0,2E;b0,1,1U;b0,1,2N;b1,1,1E;w9,9,1E|"
                    "b0,0,1U;w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 5,
        .cube_moves = 293,
        .illegal = "S0,0,1U/1,1,1U",
        .sceptre = "S0,0,1U/0,0,1S S0,0,1U/0,1,2S S0,0,1U/0,1,2U "
                   "S0,0,1U/1,0,2U S0,0,1U/1,0,2W",
    },
    {
        .name = "T11 diagonal past one tower: allowed",
        .position = "b0,0,1W;b1,0,1U;b1,0,2E;b0,1,1W;b1,1,1E;w9,9,1E|b0,0,1U;"
                    "w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 6,
        .cube_moves = 286,
        .legal = "S0,0,1U/1,1,1U",
        .sceptre = "S0,0,1U/0,0,1S S0,0,1U/0,1,1N S0,0,1U/0,1,1U "
                   "S0,0,1U/1,0,2U S0,0,1U/1,0,2W S0,0,1U/1,1,1U",
    },
    {
        .name = "T12 diagonal does not leave its plane",
        .position = "b0,0,1W;b1,1,1U;b1,1,2E;b1,0,1E;b0,1,1W;w9,9,1E|b0,0,1U;"
                    "w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 4,
        .cube_moves = 286,
        .illegal = "S0,0,1U/1,1,2U S0,0,1U/1,1,2W S0,0,1U/1,1,1U",
        .sceptre = "S0,0,1U/0,0,1S S0,0,1U/0,1,1N S0,0,1U/0,1,1U "
                   "S0,0,1U/1,0,1U",
    },
    {
        .name = "T13 elimination: free enemy cube",
        .position = "b0,0,1W;w1,0,1S;w2,0,1E|b1,0,1U;w2,0,1N|b",
        .contact = "edge",
        .sceptre_moves = 3,
        .cube_moves = 39,
        .after = "S1,0,1U/0,0,1U winner=- reason=- remove=1,0,1;"
                 "S1,0,1U/1,0,1N winner=- reason=- remove=-",
        .sceptre = "S1,0,1U/0,0,1U S1,0,1U/1,0,1N S1,0,1U/2,0,1U",
    },
    {
        .name = "T14 no elimination: cube on top",
        .position = "b0,0,1W;w1,0,1S;b1,0,2D;w2,0,1E|b1,0,1N;w2,0,1N|b",
        .contact = "edge",
        .sceptre_moves = 4,
        .cube_moves = 84,
        .after = "S1,0,1N/0,0,1N winner=- reason=- remove=-",
        .sceptre = "S1,0,1N/0,0,1N S1,0,1N/1,0,2N S1,0,1N/1,0,2S "
                   "S1,0,1N/1,0,2U",
    },
    {
        .name = "T15 no elimination: enemy cube to enemy cube",
        .position = "b0,0,1W;w1,0,1S;w2,0,1S;w3,0,1E|b1,0,1U;w3,0,1N|b",
        .contact = "edge",
        .sceptre_moves = 4,
        .cube_moves = 49,
        .after = "S1,0,1U/2,0,1U winner=- reason=- remove=-;"
                 "S1,0,1U/0,0,1U winner=- reason=- remove=1,0,1",
        .sceptre = "S1,0,1U/0,0,1U S1,0,1U/1,0,1N S1,0,1U/2,0,1U "
                   "S1,0,1U/3,0,1U",
    },
    {
        .name = "T16 win on own-coloured cube, elimination at the same time",
        .position = "b0,0,1W;w1,0,1S|b1,0,1U;w0,0,1N|b",
        .contact = "edge",
        .sceptre_moves = 3,
        .cube_moves = 0,
        .after = "S1,0,1U/0,0,1U winner=b reason=sceptre remove=1,0,1",
        .sceptre = "S1,0,1U/0,0,1U S1,0,1U/1,0,1E S1,0,1U/1,0,1N",
    },
    {
        .name = "T17 own pair loses",
        .position = "b0,0,1W;b1,0,1E;w9,9,1E|b0,0,1U;b1,0,1N;w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 6,
        .cube_moves = 0,
        .after = "S0,0,1U/1,0,1U winner=w reason=ownpair remove=-",
        .sceptre = "S0,0,1U/0,0,1N S0,0,1U/0,0,1S S0,0,1U/1,0,1U "
                   "S1,0,1N/0,0,1N S1,0,1N/1,0,1S S1,0,1N/1,0,1U",
    },
    {
        .name = "T18 cube placement",
        .position = "b0,0,1N;b1,0,1E;b2,0,1U;w3,0,1U;w3,0,2S|b1,0,1U;w3,0,2E|"
                    "b",
        .contact = "edge",
        .sceptre_moves = 4,
        .cube_moves = 132,
        .legal = "C0,0,1/2,0,2W C0,0,1/1,1,1E C0,0,1/4,1,1N C0,0,1/3,0,3D "
                 "C0,0,1/0,1,1U",
        .illegal = "C0,0,1/2,0,2D C0,0,1/3,0,3E C0,0,1/0,0,1E C0,0,1/1,0,2E "
                   "C0,0,1/4,0,2E C0,0,1/1,1,1D C0,0,1/3,-1,1D C0,0,1/6,0,1U "
                   "C0,0,1/2,-1,2U C1,0,1/0,1,1E",
        .sceptre = "S1,0,1U/0,0,1U S1,0,1U/0,0,1W S1,0,1U/1,0,1N "
                   "S1,0,1U/1,0,1S",
    },
    {
        .name = "T19 same position, 2008 interlock variant",
        .position = "b0,0,1N;b1,0,1E;b2,0,1U;w3,0,1U;w3,0,2S|b1,0,1U;w3,0,2E|"
                    "b",
        .contact = "interlock",
        .sceptre_moves = 4,
        .cube_moves = 26,
        .legal = "C0,0,1/1,1,1S C0,0,1/2,0,2W C0,0,1/3,0,3D",
        .illegal = "C0,0,1/1,1,1E C0,0,1/4,1,1N",
        .sceptre = "S1,0,1U/0,0,1U S1,0,1U/0,0,1W S1,0,1U/1,0,1N "
                   "S1,0,1U/1,0,1S",
    },
    {
        .name = "T20 cube may not be put where a sceptre tip ends",
        .position = "b0,0,1W;b0,1,1W;b2,1,1E;b3,1,1E;b3,2,1N;w9,9,1E|b0,0,1E;"
                    "w9,9,1U|b",
        .contact = "edge",
        .sceptre_moves = 3,
        .cube_moves = 469,
        .legal = "C3,2,1/3,0,1U C3,2,1/1,1,1U",
        .illegal = "C3,2,1/1,0,1U C3,2,1/2,0,1U",
        .sceptre = "S0,0,1E/0,0,1S S0,0,1E/0,0,1U S0,0,1E/0,1,1N",
    },
    {
        .name = "T21 the other side has no move left",
        .position = "w0,-2,1U;b0,0,1W;w3,0,1S;w3,1,1U;w0,2,1U|b0,0,1U;"
                    "w3,0,1E|w",
        .contact = "edge",
        .sceptre_moves = 5,
        .cube_moves = 367,
        .after = "C3,1,1/2,0,1U winner=w reason=nomove remove=-;"
                 "S3,0,1E/3,0,1W winner=w reason=nomove remove=-",
    },
};
/* clang-format on */
