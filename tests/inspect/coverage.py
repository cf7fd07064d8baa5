"""Sum up what gcov knows of the objects in this folder.

    coverage.py SOURCE_FOLDER [PATTERN]

A line of a file that is compiled several times was reached if any of them did.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

top = pathlib.Path(sys.argv[1]).resolve()
pattern = sys.argv[2] if len(sys.argv) > 2 else None
lines = collections.defaultdict(lambda: collections.defaultdict(int))
functions = collections.defaultdict(lambda: collections.defaultdict(int))


def read(report):
    for file in report["files"]:
        path = pathlib.Path(report["current_working_directory"], file["file"]).resolve()
        if path.suffix != ".c" or top not in path.parents:
            continue
        name = str(path.relative_to(top))
        for line in file["lines"]:
            lines[name][line["line_number"]] += line["count"]
        for function in file["functions"]:
            functions[name][function["name"], function["start_line"]] += function["execution_count"]


here = pathlib.Path.cwd()
notes = [str(p.resolve()) for p in here.rglob("*.gcno") if "tests" not in p.relative_to(here).parts]
for i in range(0, len(notes), 100):
    # From where the compiler ran: paths are seen from there.
    said = subprocess.run(["gcov", "--json-format", "--stdout", *notes[i:i + 100]], cwd=here,
                          capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        if line.startswith("{"):
            read(json.loads(line))


def show(name, files):
    all_lines = sum(len(lines[f]) for f in files)
    reached = sum(1 for f in files for n in lines[f].values() if n)
    print(f"{name:40} {reached:6} of {all_lines:6} lines  {100 * reached / max(1, all_lines):5.1f} %")


folders = collections.defaultdict(list)
for name in sorted(lines):
    folders[str(pathlib.Path(name).parent)].append(name)
for folder in sorted(folders):
    show(folder, folders[folder])
show("all", lines)
if pattern:
    print()
    for name in sorted(functions):
        if re.search(pattern, name):
            show(name, [name])
            for (function, start), calls in sorted(functions[name].items(), key=lambda item: item[0][1]):
                if not calls:
                    print(f"    {name}:{start}: {function}() is never called")
