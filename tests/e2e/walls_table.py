"""walls_table.py SECURITY.MD SEEN TOLD: does the table say what was seen?

A row of the table is: what is attacked | names of attacks | limits | landlock | bwrap | words.
SEEN has lines "WALL ATTACK worked|stopped", TOLD "WALL WORDS". A cell that begins with "stopped"
wants that of every attack of the row, "works" of none; words in quotes must have been told behind
landlock and bwrap.
"""
import re
import sys

text = open(sys.argv[1]).read()
seen, told = {}, {}
for line in open(sys.argv[2]):
    wall, attack, result = line.split()
    seen.setdefault((wall, attack), set()).add(result)
for line in open(sys.argv[3], errors="replace"):
    wall, _, words = line.rstrip("\n").partition(" ")
    told.setdefault(wall, []).append(words)

walls = ["limits", "landlock", "bwrap"]
table = text.split("<!-- walls_table.py -->")[1]
rows = [[c.strip() for c in line.strip("|\n ").split(" | ")]
        for line in table.split("\n") if re.match(r"\| [^|]+ \| `", line)]
named = set()
for what, names, *cells in rows:
    attacks = re.findall(r"`([a-z-]+)`", names)
    named.update(attacks)
    for wall, cell in zip(walls, cells):
        results = set().union(*[seen.get((wall, a), set()) for a in attacks])
        missing = [a for a in attacks if wall != "limits" and (wall, a) not in seen]
        if missing:
            print(f"{what}, {wall}: never tried: {' '.join(missing)}")
        if cell.startswith("stopped") and "worked" in results:
            print(f"{what}, {wall}: the table says {cell}, but it worked")
        if cell.startswith("works") and "worked" not in results:
            print(f"{what}, {wall}: the table says {cell}, but nothing worked")
        if not cell.startswith(("stopped", "works", "not tried")):
            print(f"{what}, {wall}: {cell} is neither stopped nor works")
    for words in re.findall(r'"([^"]+)"', cells[3]):
        for wall in walls[1:]:
            if not any(words in line for line in told.get(wall, [])):
                print(f"{what}, {wall}: nobody was told \"{words}\"")
for attack in sorted({a for _, a in seen} - named):
    print(f"{attack} is in no row of the table")
if len(rows) < 10:
    print("there is no table")
