"""Losses of power: makes states of the disk that the recorded writes may leave, and looks at each.

    python3 tests/fault/power.py BUILD CRASHES [SEED] [ROUNDS]

Programs write with tests/fault/record.c, which notes each write and each sync, but syncs nothing.
Then, for each crash: a moment of the record is chosen; what was synced before it is there; of what was
not, writes are kept or lost by sectors of 512 bytes, and names by entries of folders: none, all, the
first so many, or any. What had been acknowledged by then must be there, and `octavo check --deep`
must find nothing. The last line is "N passed, N failed, N skipped".
"""
import base64, json, os, random, shutil, signal, sqlite3, struct, subprocess, sys, tempfile

SECTOR = 512
ENTRY = struct.Struct("=IIQQQ")


class Inode:
    def __init__(self, data=b""):
        self.data = bytearray(data)   # what was synced
        self.pending = []             # writes (offset, bytes) and cuts (size, None) since then

    def apply(self, data, at, piece):
        if piece is None:
            if at < len(data):
                del data[at:]
            else:
                data.extend(bytes(at - len(data)))
            return
        if at > len(data):
            data.extend(bytes(at - len(data)))
        data[at:at + len(piece)] = piece

    def sync(self):
        for at, piece in self.pending:
            self.apply(self.data, at, piece)
        self.pending = []

    def crashed(self, how, rng):
        """The bytes after the crash."""
        if not self.pending or how == "none":
            return bytes(self.data)
        data = bytearray(self.data)
        stop = rng.randrange(len(self.pending) + 1) if how == "first" else len(self.pending)
        for n, (at, piece) in enumerate(self.pending[:stop + 1]):
            if piece is None:
                if n < stop and (how != "any" or rng.random() < 0.5):
                    self.apply(data, at, None)
                continue
            for begin in range(0, len(piece), SECTOR):
                if n == stop or how == "any":
                    if rng.random() < 0.5:
                        continue
                self.apply(data, at + begin, piece[begin:begin + SECTOR])
        return bytes(data)


class Disk:
    """Files by inode; the names that were synced, and the changes of names since then."""
    def __init__(self, root):
        self.root, self.files, self.names, self.pending = root, {}, {}, []
        for folder, _, files in os.walk(root):
            self.names[folder] = None
            for name in files:
                path = os.path.join(folder, name)
                inode = os.stat(path).st_ino
                with open(path, "rb") as f:
                    self.files[inode] = Inode(f.read())
                self.names[path] = self.files[inode]

    @staticmethod
    def change(names, op, path, other, file):
        if op in "CM":
            names[path] = file
        elif op == "U" or op == "X":
            names.pop(path, None)
        elif op in "RL" and path in names:
            below = [p for p in names if p == path or p.startswith(path + "/")]
            moved = {other + p[len(path):]: names[p] for p in below}
            if op == "R":
                for p in below:
                    del names[p]
            names.update(moved)

    def take(self, op, path, inode, at, data):
        other = ""
        if op == "R" or op == "L":
            other = data.decode()
        if op == "W":
            if inode in self.files:
                self.files[inode].pending.append((at, data))
        elif op == "T":
            if inode in self.files:
                self.files[inode].pending.append((at, None))
        elif op == "S":
            if inode in self.files:
                self.files[inode].sync()
        elif op == "D":
            self.settle(lambda p: os.path.dirname(p) == path)
        elif op == "Y":
            self.settle(lambda p: True)
            for f in self.files.values():
                f.sync()
        else:
            file = None
            if op == "C":
                file = self.files[inode] = Inode()
            self.pending.append((op, path, other, file))

    def settle(self, of):
        """Names of one folder are on disk. A rename belongs to both of its folders."""
        left = []
        for op, path, other, file in self.pending:
            if of(path) or (other and of(other)):
                self.change(self.names, op, path, other, file)
            else:
                left.append((op, path, other, file))
        self.pending = left

    def crashed(self, how_names, how_data, rng):
        names = dict(self.names)
        stop = rng.randrange(len(self.pending) + 1)
        for n, (op, path, other, file) in enumerate(self.pending):
            if how_names == "none" or (how_names == "first" and n >= stop) or (how_names == "any" and rng.random() < 0.5):
                continue
            self.change(names, op, path, other, file)
        return {p: f if f is None else f.crashed(how_data, rng) for p, f in names.items()}


def read_record(path):
    with open(path, "rb") as f:
        raw = f.read()
    at = 0
    while at < len(raw):
        op, n, inode, offset, size = ENTRY.unpack_from(raw, at)
        at += ENTRY.size
        name = os.path.normpath(raw[at:at + n].decode()) if n else ""
        yield at + n + size, (chr(op), name, inode, offset, raw[at + n:at + n + size])
        at += n + size


class Run:
    """An installation, and the writes that are recorded."""
    def __init__(self, build, seed):
        self.build, self.rng = os.path.abspath(build), random.Random(seed)
        self.tmp = os.path.realpath(tempfile.mkdtemp(prefix="power."))
        self.root = self.tmp + "/root"
        self.data, self.record = self.root + "/data", self.tmp + "/record"
        self.acked, self.n, self.backups = [], 0, 0
        os.mkdir(self.root)
        first = json.loads(self.octavo("init", "--email", "a@example.com", "--name", "A", "--org", "Org", "--json"))
        self.org, self.token = first["organization"], first["token"]
        self.spaces = [self.space_new() for _ in range(2)]
        self.requests = [self.request_new(s) for s in self.spaces]
        self.octavo_raw("backup", self.root + "/backup")
        self.acked = []
        open(self.record, "w").close()
        subprocess.run([self.build + "/tests/sql", self.data + "/octavo.db", "PRAGMA wal_checkpoint(TRUNCATE)"], stdout=subprocess.DEVNULL)
        # Without another reader each program that ends empties the log into the database.
        self.reader = sqlite3.connect(self.data + "/octavo.db") if seed % 3 else None
        if self.reader:
            self.reader.execute("SELECT count(*) FROM org").fetchone()
        self.disk = Disk(self.root)

    def environment(self, more):
        env = dict(os.environ, OCTAVO_DIR=self.data, OCTAVO_URL="http://127.0.0.1:1", **more)
        if hasattr(self, "disk"):
            env.update(LD_PRELOAD=self.build + "/tests/record.so", RECORD_ROOT=self.root, RECORD_LOG=self.record)
        return env

    def octavo_raw(self, *args):
        return subprocess.run([self.build + "/octavo", *args, "--dir", self.data], capture_output=True, env=self.environment({}), check=False)

    def octavo(self, *args):
        p = self.octavo_raw(*args)
        if p.returncode != 0:
            sys.exit("octavo %s: %s" % (args, p.stderr.decode()))
        return p.stdout

    def ask(self, method, path, body=None):
        text = b"" if body is None else json.dumps(body).encode()
        env = self.environment({
            "GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": method, "REQUEST_URI": "/v1" + path, "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(text)), "HTTP_AUTHORIZATION": "Bearer " + self.token})
        if "?" in path:
            env["QUERY_STRING"] = path.split("?", 1)[1]
        with tempfile.TemporaryFile() as f:
            f.write(text)
            f.seek(0)
            out = subprocess.run([self.build + "/octavo-api"], stdin=f, stdout=subprocess.PIPE, env=env, check=False).stdout
        head, _, rest = out.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head.startswith(b"Status: ") else 0
        return status, json.loads(rest) if rest[:1] in b"{[" and rest else None

    def ack(self, what):
        """From here on `what` has been acknowledged; it is the title of a row."""
        self.acked.append((os.path.getsize(self.record) if hasattr(self, "disk") else 0, what))

    def next(self, letter):
        self.n += 1
        return "%s%d" % (letter, self.n)

    def must(self, answer, what=None):
        status, body = answer
        if not 200 <= status < 300:
            sys.exit("%s: %s %s" % (what, status, body))
        if what:
            self.ack(what)
        return body

    def space_new(self):
        title = self.next("space")
        return self.must(self.ask("POST", "/orgs/%s/spaces" % self.org, {"title": title}), title)["id"]

    def request_new(self, space):
        subject = self.next("request")
        return self.must(self.ask("POST", "/spaces/%s/change-requests" % space, {"subject": subject}), subject)["id"]

    def write(self, i, change, title):
        self.must(self.ask("POST", "/spaces/%s/change-requests/%s/content" % (self.spaces[i], self.requests[i]),
                           {"changes": [change]}), title)

    def page(self, i):
        title = self.next("page")
        words = " ".join("word%d" % self.rng.randrange(1000) for _ in range(self.rng.choice([5, 50, 3000])))
        self.write(i, {"operation": "insert_page", "title": title, "document": {"markdown": words}}, title)

    def file(self, i):
        title = self.next("file") + ".txt"
        data = self.rng.randbytes(self.rng.choice([100, 5000, 70000]))
        self.write(i, {"operation": "insert_files", "files": [{"name": title, "contentType": "text/plain",
                   "base64": base64.b64encode(data).decode()}]}, title)

    def merge(self, i):
        self.must(self.ask("POST", "/spaces/%s/change-requests/%s/merge" % (self.spaces[i], self.requests[i])),
                  "merged:" + self.requests[i])
        self.requests[i] = self.request_new(self.spaces[i])

    def backup(self):
        if self.octavo_raw("backup", self.root + "/backup").returncode == 0:
            self.backups += 1

    def jobs(self):
        """The runner also empties the log."""
        subprocess.run([self.build + "/octavo-jobs", "--once"], env=self.environment({}), capture_output=True, check=False)

    def two_at_once(self):
        """Two writers; both are acknowledged when both have ended."""
        titles = [self.next("space"), self.next("space")]
        pids = []
        for t in titles:
            pid = os.fork()
            if pid == 0:
                os._exit(0 if self.ask("POST", "/orgs/%s/spaces" % self.org, {"title": t})[0] == 201 else 1)
            pids.append((pid, t))
        for pid, t in pids:
            if os.waitpid(pid, 0)[1] == 0:
                self.ack(t)

    def work(self, rounds):
        for _ in range(rounds):
            i = self.rng.randrange(2)
            what = self.rng.randrange(20)
            if what < 8:
                self.page(i)
            elif what < 12:
                self.file(i)
            elif what < 14:
                self.merge(i)
            elif what < 16:
                self.space_new()
            elif what < 18:
                self.two_at_once()
            elif what < 19:
                self.jobs()
            else:
                self.backup()


TITLES = ("SELECT title FROM space UNION SELECT title FROM node WHERE title IS NOT NULL UNION SELECT subject FROM change_request "
          "UNION SELECT 'merged:' || id FROM change_request WHERE status = 'merged'")


class Crashes:
    def __init__(self, run):
        self.run, self.passed, self.failed = run, 0, 0
        self.at, self.whole = run.tmp + "/crashed", None

    def fail(self, name, why):
        self.failed += 1
        print("FAIL %s: %s" % (name, why), flush=True)

    def write_out(self, tree):
        shutil.rmtree(self.at, ignore_errors=True)
        for path in sorted(tree):
            to = self.at + path[len(self.run.root):]
            if tree[path] is None:
                os.makedirs(to, exist_ok=True)
            elif os.path.isdir(os.path.dirname(to)):
                with open(to, "wb") as f:
                    f.write(tree[path])

    def tool(self, *args):
        p = subprocess.run(args, capture_output=True, check=False)
        return p.returncode, (p.stdout + p.stderr).decode(errors="replace")

    def look(self, name, acked, backup):
        b, data = self.run.build, self.at + "/data"
        rc, said = self.tool(b + "/octavo", "check", "--deep", "--dir", data)
        if rc != 0:
            return self.fail(name, "octavo check: " + said)
        rc, said = self.tool(b + "/tests/sql", data + "/octavo.db", TITLES)
        lost = acked - set(said.split("\n"))
        if rc != 0 or lost:
            return self.fail(name, "lost: %s %s" % (sorted(lost)[:5], said[:300] if rc else ""))
        # A state of the backup that was whole before is so again.
        if backup != self.whole:
            rc, said = self.tool(b + "/octavo", "backup", "--verify", self.at + "/backup")
            if rc != 0:
                return self.fail(name, "the backup: " + said)
            self.whole = backup
        self.passed += 1
        return None

    def same_at_the_end(self, disk):
        """The record is complete: all of it together is what is on the disk."""
        tree = disk.crashed("all", "all", random.Random(0))
        for path, data in tree.items():
            if data is not None and "/run/" not in path and "/log/" not in path and not path.endswith("-shm"):
                with open(path, "rb") as f:
                    if f.read() != data:
                        return self.fail("the record", path)
        self.passed += 1
        return None

    def all(self, crashes, seed):
        rng = random.Random(seed)
        record = list(read_record(self.run.record))
        moments = sorted(rng.randrange(1, len(record)) for _ in range(crashes))
        disk, n, acked, acks = self.run.disk, 0, set(), list(self.run.acked)
        for i, (end, e) in enumerate(record):
            while moments and moments[0] <= i:
                moments.pop(0)
                n += 1
                crash = random.Random("%d.%d" % (seed, n))
                how = crash.choice(["none", "all", "first", "any"]), crash.choice(["none", "all", "first", "any", "any"])
                tree = disk.crashed(*how, crash)
                self.write_out(tree)
                self.look("seed %d, crash %d at %d of %d, names %s, bytes %s" % (seed, n, i, len(record), *how), acked,
                          {p: b for p, b in tree.items() if p.startswith(self.run.root + "/backup/")})
            disk.take(*e)
            while acks and acks[0][0] <= end:
                acked.add(acks.pop(0)[1])
        self.same_at_the_end(disk)


def main():
    build, crashes = sys.argv[1], int(sys.argv[2])
    seed, rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 1, int(sys.argv[4]) if len(sys.argv) > 4 else 40
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run = Run(build, seed)
    crashed = Crashes(run)
    try:
        run.work(rounds)
        crashed.all(crashes, seed)
    finally:
        if not os.environ.get("KEEP"):
            shutil.rmtree(run.tmp, ignore_errors=True)
        print("%d passed, %d failed, 0 skipped" % (crashed.passed, crashed.failed))
    return 1 if crashed.failed else 0


if __name__ == "__main__":
    sys.exit(main())
