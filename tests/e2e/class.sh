#!/bin/sh
# A whole course with generated students, from hand-ins to grades: honest ones,
# broken ones, hostile ones, and one who copied. Ten students; COURSE_STUDENTS=40
# makes a class of forty with a larger budget ("make course").

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
src=$(cd "${srcdir:-.}" && pwd)
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$src/tests/e2e/checks.sh"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1
PATH=$(dirname "$referee"):$PATH
students=${COURSE_STUDENTS:-10}
budget=${COURSE_BUDGET:-4}
bwrap --unshare-all --ro-bind / / true 2>/dev/null || echo "without bubblewrap"

# A student of each kind in turn; kinds.csv says what must come of it.
cat >make.py <<'END'
import io, os, sys, tarfile, zipfile
count, work = int(sys.argv[1]), os.getcwd()
random_bot = open(sys.argv[2]).read().split("```python\n")[1].split("```")[0]

def folder(name, files):
    os.makedirs(f"exports/{name}")
    for path, text in files.items():
        with open(f"exports/{name}/{path}", "w") as f:
            f.write(text)

def ini(level, seed, more=""):
    return {"bot.ini": f"{more}[bot]\ncommand = referee bot --level {level} --seed {seed}\n"}

def archive(name, member, kind=tarfile.REGTYPE, link=""):
    with tarfile.open(f"exports/{name}.tgz", "w:gz") as t:
        info = tarfile.TarInfo(member)
        info.type, info.linkname = kind, link
        t.addfile(info, io.BytesIO(b""))

def bomb(name):
    with zipfile.ZipFile(f"exports/{name}.zip", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("bot.py", bytes(100 << 20))

makers = [
    ("honest", lambda n: folder(n, ini(2, n))),
    ("honest", lambda n: folder(n, ini(3, n))),
    ("broken", lambda n: folder(n, {"bot.py": "import sys\nprint(sys.stdin.readline(\n"})),
    ("hostile", lambda n: folder(n, {"Makefile": f"all:\n\tcat {work}/secret >bot; cat bot; exit 1\n"})),
    ("honest", lambda n: folder(n, {"bot.py": random_bot})),
    ("hostile", lambda n: archive(n, "../../evil")),
    ("copied", lambda n: folder(n, ini(2, "s01", "# my own work\n"))),
    ("hostile", bomb),
    ("honest", lambda n: folder(n, ini(5, n))),
    ("broken", lambda n: folder(n, {"notes.txt": "I hand it in next week."})),
    ("honest", lambda n: folder(n, ini(1, n))),
    ("hostile", lambda n: archive(n, "bot.py", tarfile.SYMTYPE, "/etc/passwd")),
    ("broken", lambda n: folder(n, {"Makefile": "all:\n\techo no such compiler; exit 1\n"})),
    ("honest", lambda n: folder(n, ini(4, n))),
    ("hostile", lambda n: folder(n, {"Makefile": "all:\n\twhile :; do :; done\n"})),
    ("honest", lambda n: folder(n, ini(6, n))),
]
os.makedirs("exports")
with open("kinds.csv", "w") as kinds:
    for i in range(count):
        kind, make = makers[i % len(makers)]
        name = f"s{i + 1:02d}"
        if kind == "copied" and i > len(makers):
            kind, make = "honest", makers[1][1]
        make(name)
        print(name, kind, sep=",", file=kinds)
END
echo "the deals of the running game" >secret
python3 make.py "$students" "$src/README.md" || exit 1

# Every hand-in gets its verdict: accepted, or one reason.
began=$(date +%s%N)
for export in exports/*; do
    name=$(basename "$export" | sed 's/\..*//')
    at=$(date +%s%N)
    "$referee" admit --game second-chance --build-limit 2s --name "$name" \
        "$export" >"$name.verdict" 2>&1
    code=$?
    echo "$(($(date +%s%N) - at)) $name" >>latency
    kind=$(sed -n "s/^$name,//p" kinds.csv)
    case $kind in
    honest | copied) same "$name, $kind" 0 $code ;;
    *) same "$name, $kind" 1 $code ;;
    esac
    [ $code = 0 ] || has "$name has a reason" "$name.verdict" "^$name: refused: "
    hasnt "$name sees nothing" "$name.verdict" 'the deals of the running game'
done
handed_in=$(($(date +%s%N) - began))
[ ! -e ../evil ] && [ ! -e evil ] || wrong "an archive got out"
! grep -rqs 'the deals of the running game' handins || wrong "a build read the records"

# Grades.
cat >course.ini <<END
[course]
name = The class
game = second-chance
time = move:60s
budget = $budget
concurrency = 2
seed = the class
[level one]
command = referee bot --level 1 --seed one
points = 40
[level three]
command = referee bot --level 3 --seed three
points = 30
[level six]
command = referee bot --level 6 --seed six
points = 30
hidden = yes
END
began=$(date +%s%N)
"$referee" grade course.ini --quiet >table 2>err || wrong "grade: $(cat err)"
graded=$(($(date +%s%N) - began))
count=$((count + 1))
python3 - <<'END' || failed=$((failed + 1))
import json
kinds = dict(line.strip().split(",") for line in open("kinds.csv"))
grades = {s["name"]: s for s in json.load(open("grades/grades.json"))["students"]}
assert sorted(kinds) == sorted(grades), (kinds, grades)
for name, kind in kinds.items():
    s = grades[name]
    if kind in ("honest", "copied"):
        assert "problem" not in s, s
        for level in s["levels"]:
            assert level["forfeits"] == 0, f"{name} was harmed: {level}"
            assert level["games"] > 0, level
    else:
        assert s["points"] == 0 and s["problem"], s
END
"$referee" replay --quiet grading >out 2>err || wrong "not all games are valid: $(cat out)"
games=$(cat grading/*.rec | grep -c '^result')

# Who copied is found, and nobody else, where there are games enough to tell.
if [ "$budget" -ge 60 ]; then
    "$referee" similar grading --csv >alike 2>err
    same "somebody moves alike" 1 $?
    same "the copy" s01,s07 "$(grep ',1$' alike | cut -d, -f 1,2)"
fi
sort -n latency >sorted
echo "$students students, $games games; honest bots harmed: none"
echo "hand-ins per minute: $(($(wc -l <latency) * 60000000000 / handed_in));" \
    "verdict: median $(sed -n "$(($(wc -l <sorted) / 2 + 1))p" sorted | awk '{ printf "%.2f", $1 / 1e9 }') s," \
    "longest $(tail -n 1 sorted | awk '{ printf "%.2f s (%s)", $1 / 1e9, $2 }')"
echo "games per minute: $((games * 60000000000 / graded))"
echo "$count checks"
[ $failed = 0 ]
