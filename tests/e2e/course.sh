#!/bin/sh
# A course: bots are handed in, admitted or refused, and graded.

src=$(cd "${srcdir:-.}" && pwd)
referee=$(cd "${builddir:-.}/referee" && pwd)/referee
work=$(mktemp -d) || exit 1
daemon=
trap '[ "$daemon" ] && kill $daemon 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
PATH=$(dirname "$referee"):$PATH
failed=0
checks=0

wrong() {
    echo "$*"
    failed=1
}

says() { # FILE PATTERN
    checks=$((checks + 1))
    grep -q -e "$2" "$1" || wrong "\"$2\" is not in: $(cat "$1")"
}

admits() { # NAME FROM
    checks=$((checks + 1))
    referee admit --game second-chance --name "$1" "$2" >out 2>&1 ||
        wrong "$1 is not admitted: $(cat out)"
}

refuses() { # NAME FROM PATTERN
    checks=$((checks + 1))
    referee admit --game second-chance --name "$1" "$2" $options >out 2>&1
    [ $? = 1 ] || wrong "$1: not exit code 1: $(cat out)"
    says out "$3"
}

# Bots that start as bot.ini says. A level is the same on any machine.
bot() { # NAME LEVEL
    mkdir -p "src/$1"
    printf '[bot]\ncommand = referee bot --level %d --seed %s\n' "$2" "$1" \
        >"src/$1/bot.ini"
}

bot strong 6
bot weak 1
admits strong src/strong
says out 'strong: unpacked: 1 file, 1 KiB; version [0-9a-f]\{16\}$'
says out 'strong: checked: second-chance'
says out 'strong: accepted: version [0-9a-f]\{16\} plays from now on$'
(cd src && tar czf ../weak.tgz weak) # a folder on top is lifted off
admits weak weak.tgz
python3 - <<'EOF' || exit 1
import io, tarfile, zipfile
def tar(name, *members):
    with tarfile.open(name, "w:gz") as t:
        for path, kind, link in members:
            info = tarfile.TarInfo(path)
            info.type, info.linkname = kind, link
            t.addfile(info, io.BytesIO(b""))
tar("out.tgz", ("../../evil", tarfile.REGTYPE, ""))
tar("root.tgz", ("/tmp/evil", tarfile.REGTYPE, ""))
tar("link.tgz", ("bot.py", tarfile.SYMTYPE, "/etc/passwd"))
tar("hard.tgz", ("bot.py", tarfile.LNKTYPE, "/etc/passwd"))
tar("fifo.tgz", ("bot.py", tarfile.FIFOTYPE, ""))
tar("twice.tgz", ("bot.py", tarfile.REGTYPE, ""), ("bot.py", tarfile.REGTYPE, ""))
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("bot.py", bytes(300 << 20))
with zipfile.ZipFile("many.zip", "w") as z:
    for i in range(3000):
        z.writestr(f"f{i}", b"")
with zipfile.ZipFile("empty.zip", "w"):
    pass
EOF
options=
refuses evil out.tgz 'refused: the path "../../evil" is not allowed'
refuses evil root.tgz 'refused: the path "/tmp/evil" is not allowed'
refuses evil link.tgz 'bot.py is neither a file nor a folder'
refuses evil hard.tgz 'bot.py is neither a file nor a folder'
refuses evil fifo.tgz 'bot.py is neither a file nor a folder'
refuses evil twice.tgz 'bot.py is in the archive twice'
refuses evil bomb.zip 'it is larger than 64 MiB when unpacked'
refuses evil many.zip 'it has more than 2000 files and folders'
refuses evil empty.zip 'it is empty'
refuses evil "$src/README.md" 'it is neither a folder nor a zip or tar file'
mkdir -p src/links && ln -s /etc/passwd src/links/bot.py
refuses evil src/links 'bot.py is neither a file nor a folder'
[ ! -e ../evil ] && [ ! -e /tmp/evil ] || wrong "an archive got out"
[ "$(find handins/evil -mindepth 1 ! -name .lock ! -name "*.jsonl" | wc -l)" = 0 ] ||
    wrong "something was left: $(find handins/evil)"

# A build can fail, or never end; what it said is shown.
mkdir -p src/build && printf 'all:\n\techo no such compiler; exit 1\n' \
    >src/build/Makefile
refuses build src/build 'refused: the build failed'
says out '^    no such compiler$'
printf 'all:\n\t(sleep 1000 & echo $$! >pid; sleep 1000)\n' >src/build/Makefile
options='--build-limit 1s'
refuses build src/build 'refused: the build took more than 1 s'
options=
printf '[bot]\ncomand = ./x\n' >src/build/bot.ini
refuses build src/build 'bot.ini:2: .*comand.*command'
rm src/build/bot.ini
if bwrap --unshare-all --ro-bind / / true 2>/dev/null; then
    echo secret >"$work/secret"
    printf 'all:\n\tcat %s/secret\n' "$work" >src/build/Makefile
    refuses build src/build "secret: No such file or directory"
    printf 'all:\n\tyes\n' >src/build/Makefile
    refuses build src/build 'refused: the build printed more than 16 MiB'
    if [ "$COURSE_LONG" ]; then # more than a gigabyte
        printf 'all:\n\tfor i in 1 2 3; do head -c 400000000 /dev/zero >$$i; done; sleep 9\n' \
            >src/build/Makefile
        refuses build src/build 'refused: the build wrote more than 1024 MiB or'
    fi
    printf 'all:\n\techo x >/usr/x || echo x >/x\n' >src/build/Makefile
    refuses build src/build 'Read-only file system'
    if [ "$(id -u)" != 0 ] || [ -w /sys/fs/cgroup/pids ] ||
        grep -qs pids /sys/fs/cgroup/cgroup.controllers; then
        printf 'SHELL = /bin/bash\nall:\n\tb() { b | b & }; b; sleep 9\n' \
            >src/build/Makefile
        refuses build src/build \
            'refused: the build \(had more than 512 processes\|failed\)'
    fi
fi
mkdir -p src/nothing && echo hello >src/nothing/notes.txt
refuses nothing src/nothing 'add a bot.ini with'
mkdir -p src/crash && echo 'raise ValueError("my own mistake")' >src/crash/bot.py
refuses crash src/crash 'ValueError: my own mistake'
says out 'stderr  Traceback (most recent call last)' # the whole of it

# A version that fails takes nobody's place; older ones can come back.
first=$(ls handins/strong | grep -v jsonl)
echo 'broken = yes' >>src/strong/bot.ini
refuses strong src/strong 'broken'
referee submissions strong >out
says out "^strong: plays version $first\$"
bot strong 5
admits strong src/strong
second=$(ls handins/strong | grep -v "jsonl\|$first")
referee submissions strong >out
says out "^strong: plays version $second\$"
referee submissions strong --withdraw "$second" >out
says out "^strong: plays version $first\$"
referee submissions strong --choose "$(echo "$second" | cut -c 1-6)" >out
says out "^strong: plays version $second\$"
referee submissions strong --choose "$first" >out
admits strong src/strong
says out 'it was accepted before'
referee submissions strong --choose "$first" >out
referee submissions strong --choose zz >out 2>&1 && wrong "a version zz"
says out 'no accepted version begins with "zz"'
referee submissions nobody >out 2>&1 && wrong "nobody handed in something"
says out 'nobody called "nobody" has handed in anything'

# The version that plays and the last one before it stay.
for level in 1 2 3 4; do
    bot many $level
    checks=$((checks + 1))
    referee admit --handins kept --keep 1 --game second-chance --name many \
        src/many >out 2>&1 || wrong "many is not admitted: $(cat out)"
    if [ $level = 2 ]; then
        old=$(referee submissions --handins kept many | sed -n 's/.*accepted *\([0-9a-f]*\).*/\1/p' | head -n 1)
        referee submissions --handins kept many --choose "$old" >out
        says out "^many: plays version $old\$"
    fi
done
[ "$(ls kept/many | grep -vc jsonl)" = 2 ] || wrong "--keep 1: $(ls kept/many)"
last=$(sed -n 's/.*accepted: version \([0-9a-f]*\).*/\1/p' out)
[ -d "kept/many/$last" ] || wrong "the version that plays is gone"

# They play on a ladder, and a new version after a reload.
bot elsewhere 1
echo 'ladders = other' >>src/elsewhere/bot.ini
admits elsewhere src/elsewhere
mkdir data && : >keys && chmod 600 keys
cat >referee.ini <<EOF
[server]
data = data
keys = keys
control = $work/c
[ladder main]
game = second-chance
seats = 2
time = move:60s
start-limit = 120s
join = none
handins = handins
EOF
referee serve referee.ini >serve.log 2>&1 &
daemon=$!
waits_for() { # PATTERN
    checks=$((checks + 1))
    for i in $(seq 1 1200); do
        grep -q -e "$1" serve.log && return
        kill -0 $daemon 2>/dev/null || break
        sleep 0.05
    done
    wrong "\"$1\" is not in: $(cat serve.log)"
}
waits_for 'names=strong,weak result'
bot weak 2
admits weak src/weak
third=$(sed -n 's/.*accepted: version \([0-9a-f]*\).*/\1/p' out)
referee reload --control "$work/c" >out 2>&1 || wrong "$(cat out)"
for i in $(seq 1 1200); do
    grep -qs "^seat . name=weak digest=$third" data/records/main/* && break
    sleep 0.05
done
grep -qs "^seat . name=weak digest=$third" data/records/main/* ||
    wrong "the new version does not play"
! grep -q elsewhere serve.log || wrong "a bot plays where it does not want to"
kill $daemon && wait $daemon
daemon=
bot weak 1
admits weak src/weak

# Grades.
cat >course.ini <<EOF
[course]
name = Games 1
game = second-chance
time = move:60s
start-limit = 120s
budget = 60
concurrency = 2
[level random]
command = referee bot --level 1 --seed r
points = 10
[level five]
command = referee bot --level 5 --seed r
points = 20
hidden = yes
EOF
referee grade --check course.ini >out 2>&1 || wrong "$(cat out)"
says out 'course.ini is correct: 7 students, 2 levels, at most 840 games'

sed 's/^points = 10/&\ndigest = 0123456789abcdef/' course.ini >pinned.ini
referee grade --check pinned.ini >out 2>&1 && wrong "another level, but pinned"
says out 'pinned.ini:11: digest: the bot of \[level random\] has changed: it is now [0-9a-f]*, not 0123456789abcdef'

referee grade --check --handins handins "$src/referee/doc/course/course.ini" \
    >out 2>&1 || wrong "the example course: $(cat out)"

# Killed in the middle, it goes on and gives the same grades, byte for byte.
referee grade course.ini --quiet --out whole >table 2>err || wrong "$(cat err)"
mv grading played
referee grade course.ini --quiet >out 2>err &
grader=$!
for i in $(seq 1 600); do
    [ -e grading ] && [ "$(cat grading/*.rec 2>/dev/null | wc -l)" -gt 300 ] && break
    kill -0 $grader 2>/dev/null || break
    sleep 0.05
done
kill -9 $grader 2>/dev/null && wait $grader 2>/dev/null
referee grade course.ini --quiet >out 2>err || wrong "$(cat err)"
checks=$((checks + 1))
says grades/students/strong.html 'Time: [0-9.e+]* ms per move on average, [0-9.e+]* ms at most; the clock is move:1m'
# (The games have clocks, and the pages tell how long the bots thought.)
sed -i '/class="time"/d' whole/students/*.html grades/students/*.html
diff -r -x '*-games.html' whole grades >difference || wrong "not the same grades: $(head difference)"
diff table out >difference || wrong "not the same table: $(cat difference)"
referee replay --quiet grading >out || wrong "grading: $(cat out)"
! grep -h '^@- fault' grading/*.rec || wrong "a bot that starts anew fails"

says grades/grades.csv '^name,points,version,handed_in,random,five,problem$'
says grades/grades.csv "^strong,[0-9]*,$first,.*,passed,"
says grades/grades.csv '^weak,[0-9]*,.*,\(failed\|undecided\),failed,""$'
says grades/grades.csv '^crash,0,,,,,"no hand-in before the deadline was accepted"$'
says grades/junit.xml '<testsuite name="strong" tests="2">'
says grades/gradescope/strong.json '"max_score": 10'
says grades/students/strong.html 'Look at a won game'
says grades/students/weak.html 'Your bot is not better than this level.'
says grades/students/crash.html 'No games were played: no hand-in before the deadline'
grep -rq 'level 5' grades && wrong "the command of a hidden level is shown"
python3 -c 'import json, xml.dom.minidom as m; m.parse("grades/junit.xml")
json.load(open("grades/gradescope/weak.json"))' || wrong "not well formed"

# What was handed in after the deadline does not count.
sed 's/^budget.*/&\ndeadline = 2020-01-01T00:00:00Z/' course.ini >late.ini
referee grade late.ini --quiet --out late >out 2>&1 || wrong "$(cat out)"
says late/grades.csv '^strong,0,,,,,"no hand-in before the deadline'
sed 's/^budget.*/&\ndeadline = tomorrow/' course.ini >late.ini
referee grade late.ini >out 2>&1 && wrong "a deadline tomorrow"
says out 'late.ini:7: deadline: must be a time in UTC such as'

# Again: only what changed is played, and it is said what is different.
before=$(cat grading/*.rec | grep -c '^result')
referee grade course.ini --quiet >out 2>err || wrong "$(cat err)"
! grep -v '^walls:' err || wrong "nothing changed, but: $(cat err)"
[ "$(cat grading/*.rec | grep -c '^result')" = "$before" ] ||
    wrong "games were played again"
referee submissions strong --withdraw "$first" >out
cp grades/grades.csv handed-out.csv
referee grade course.ini --quiet >out 2>err
[ $? = 1 ] || wrong "grades that differ: not exit code 1: $(cat err)"
says err "^strong: [0-9]* points, were [0-9]*; version $second, was $first"
says err 'the grades in grades differ as listed above, and stay as they are; --regrade'
cmp -s grades/grades.csv handed-out.csv || wrong "grades were replaced"
before=$(cat grading/*.rec | grep -c '^result')
referee grade course.ini --quiet --regrade >out 2>err || wrong "$(cat err)"
[ "$(cat grading/*.rec | grep -c '^result')" = "$before" ] ||
    wrong "games were played twice"
says grades/grades.csv "^strong,[0-9]*,$second,"
says err "^strong: [0-9]* points, were [0-9]*; version $second, was $first"
[ "$(grep -c points err)" = 1 ] || wrong "others changed: $(cat err)"

# Points by place, among the students, with the version that is graded.
referee submissions strong --choose "$first" >out
referee serve referee.ini >serve.log 2>&1 &
daemon=$!
waits_for "ready"
for i in $(seq 1 1200); do
    [ "$(grep -c 'names=strong,weak result\|names=weak,strong result' serve.log)" -gt 60 ] && break
    sleep 0.05
done
kill $daemon && wait $daemon
daemon=
cp course.ini placed.ini
printf '[places]\nladder = main\npoints = 9 4\n' >>placed.ini
referee grade placed.ini --quiet --regrade >out 2>err || wrong "$(cat err)"
says err '^strong: .*; place on the ladder: 1, had none$'
says out '^strong .* place 1$'
says grades/grades.csv '^name,points,version,handed_in,random,five,place,place_points,problem$'
says grades/grades.csv "^strong,.*,1,9,\"\"\$"
says grades/grades.csv '^weak,.*,2,4,""$'
says grades/grades.csv '^crash,0,.*,,0,"no hand-in before the deadline'
says grades/junit.xml '<testsuite name="strong" tests="3">'
says grades/junit.xml '<testcase name="place on the ladder"><system-out>4 points: place 2 of 2 students, rating '
says grades/junit.xml '<failure>0 points: no rating on the ladder, so no place</failure>'
python3 -c 'import xml.dom.minidom as m
for s in m.parse("grades/junit.xml").getElementsByTagName("testsuite"):
    assert len(s.getElementsByTagName("testcase")) == int(s.getAttribute("tests"))' ||
    wrong "another number of test cases"
says grades/grades.json '"max_points": 39'
says grades/gradescope/weak.json '"place 2 of 2 students, rating -*[0-9]* after [0-9]* games"'
says grades/students/strong.html 'place on main: 1</span><span>9 of 9 points'
says grades/students/crash.html 'no rating on the ladder, so it has no place'
cp -r grades placed
referee grade placed.ini --quiet >out 2>err || wrong "$(cat err)"
! grep -v '^walls:' err || wrong "nothing changed, but: $(cat err)"
sed -i '/class="time"/d' placed/students/*.html grades/students/*.html
diff -r -x '*-games.html' placed grades >difference || wrong "not the same: $(head difference)"
sed 's/^ladder = main/ladder = other/' placed.ini >wrong.ini
referee grade wrong.ini --quiet >out 2>&1 && wrong "a ladder that is not there"
says out '\[places\]: there are no games on a ladder called other'
sed 's/^points = 9 4/points = ten/' placed.ini >wrong.ini
referee grade --check wrong.ini >out 2>&1 && wrong "points that are no numbers"
says out 'points are numbers with blanks between them'
sed '/^ladder = main/d' placed.ini >wrong.ini
referee grade --check wrong.ini >out 2>&1 && wrong "places on no ladder"
says out '\[places\] has no ladder'
referee grade course.ini --quiet --regrade >out 2>err || wrong "$(cat err)"
says err '^strong: .*; place on the ladder: none, was 1$'

# The file of a learning platform.
printf 'Id,"Full name",Email,"Grade (max 30)"\n1,"Strong, Ada",a@x,\n2,"Weak ""W"" Bo",b@x,-\n3,Else,c@x,\n' >lms.csv
printf 'strong,a@x\nweak,"Weak ""W"" Bo"\n' >roster.csv
referee grade course.ini --quiet --fill lms.csv --roster roster.csv >filled 2>err ||
    wrong "$(cat err)"
says filled '^1,"Strong, Ada",a@x,[0-9]*$'
says filled '^2,"Weak ""W"" Bo",b@x,0$'
says filled '^3,Else,c@x,$'
referee grade course.ini --quiet --fill lms.csv --column Points >out 2>&1 &&
    wrong "a column that is not there"
says out 'lms.csv: no column title begins with "Points"'
# A mistake is told before anything is played.
for wrong_way in "--fill none.csv" "--fill lms.csv --roster none.csv" \
    "--fill lms.csv --column Points" "--roster roster.csv"; do
    # shellcheck disable=SC2086
    referee grade course.ini --quiet --out never $wrong_way >out 2>&1 &&
        wrong "$wrong_way"
    says out 'none.csv cannot be opened\|no column title\|belongs to --fill'
    [ -e never ] && wrong "$wrong_way: it played"
done
echo "$checks checks"
exit $failed
