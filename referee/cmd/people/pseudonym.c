/* Names that reveal nothing about anybody. */

#include "cmd/people/people.h"

#include <sodium.h>
#include <stdio.h>

static const char *const kinds[] = {
    "amber",   "bold",  "brave",  "brisk", "bright", "calm",   "clear",
    "clever",  "cool",  "coral",  "crisp", "dapper", "eager",  "early",
    "fair",    "fast",  "fine",   "fond",  "frank",  "free",   "fresh",
    "gentle",  "glad",  "golden", "grand", "green",  "happy",  "hardy",
    "honest",  "jolly", "keen",   "kind",  "late",   "light",  "lively",
    "loyal",   "lucky", "mellow", "merry", "mild",   "neat",   "noble",
    "patient", "plain", "proud",  "quick", "quiet",  "rapid",  "ready",
    "rosy",    "royal", "sharp",  "shiny", "silent", "silver", "smart",
    "snowy",   "solid", "steady", "sunny", "swift",  "tidy",   "warm",
    "wise",
};

static const char *const animals[] = {
    "badger", "bear",   "beaver", "bee",    "bison",  "camel",  "cat",
    "cobra",  "condor", "crab",   "crane",  "crow",   "deer",   "dolphin",
    "dove",   "eagle",  "elk",    "falcon", "ferret", "finch",  "fox",
    "frog",   "gecko",  "goose",  "hare",   "hawk",   "heron",  "horse",
    "ibis",   "jackal", "kiwi",   "koala",  "lark",   "lemur",  "lion",
    "lizard", "llama",  "lynx",   "magpie", "marten", "mole",   "moose",
    "newt",   "orca",   "otter",  "owl",    "panda",  "parrot", "pike",
    "puffin", "quail",  "rabbit", "raven",  "robin",  "salmon", "seal",
    "shark",  "sloth",  "squid",  "stork",  "swan",   "tiger",  "trout",
    "wolf",
};

enum {
    KINDS = sizeof kinds / sizeof *kinds,
    ANIMALS = sizeof animals / sizeof *animals
};

void pseudonym_make(char name[PSEUDONYM_MAX + 1])
{
    snprintf(name, PSEUDONYM_MAX + 1, "%s-%s",
             kinds[randombytes_uniform(KINDS)],
             animals[randombytes_uniform(ANIMALS)]);
}
