#!/usr/bin/env python3
"""Which share of the lines and branches of each room did tests execute?

    python3 tests/cover.py BUILD [FILE or ROOM...]

BUILD was compiled with --coverage, and tests have run its programs. Prints a line for each room; with
names, each line of these files or rooms that was not executed, or not with both results of a branch. Lines
with assert() do not count: their second branch is a fault of the program.
"""
import collections
import glob
import json
import os
import subprocess
import sys


def lines_of(counts):
    """Lines of sources: (file, line) -> (executions, branches, branches that were taken)."""
    found = {}
    for at in range(0, len(counts), 50):
        out = subprocess.run(["gcov", "-b", "-j", "-t", *counts[at:at + 50]], capture_output=True, check=True).stdout
        for text in out.decode().splitlines():
            for file in json.loads(text)["files"]:
                # A file that was removed has notes of an older build.
                if file["file"].startswith("src/") and file["file"].endswith(".c") and os.path.exists(file["file"]):
                    for line in file["lines"]:
                        taken = [b["count"] > 0 for b in line["branches"]]
                        old = found.get((file["file"], line["line_number"]), (0, 0, 0))
                        found[file["file"], line["line_number"]] = (old[0] + line["count"], old[1] + len(taken), old[2] + sum(taken))
    return found


def main():
    build, names = sys.argv[1], sys.argv[2:]
    # A source whose object no test executed has no counts, but notes.
    notes = glob.glob(build + "/src/**/*.gcno", recursive=True)
    found = lines_of(sorted(notes))
    text = {f: open(f, encoding="utf-8").read().split("\n") for f in {f for f, _ in found}}
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for (file, n), (count, branches, taken) in sorted(found.items()):
        line = text[file][n - 1].strip()
        if "assert(" in line or file.startswith("src/gen"):
            continue
        room = file.split("/")[1]
        for key in (room, file):
            sums[key][0] += count > 0
            sums[key][1] += 1
            sums[key][2] += taken
            sums[key][3] += branches
        if (count == 0 or taken < branches) and any(file.startswith(name) or room == name for name in names):
            print("%s:%d: %s: %s" % (file, n, "never" if count == 0 else "%d of %d branches" % (taken, branches), line))
    for key, (lines, all_lines, taken, branches) in sums.items():
        if "/" not in key or key in names:
            print("%-14s lines %5.1f %% of %5d, branches %5.1f %% of %5d, %4d left" % (
                key, 100 * lines / all_lines, all_lines, 100 * taken / max(branches, 1), branches, branches - taken))


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
