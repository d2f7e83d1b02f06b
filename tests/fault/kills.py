"""Kills (-9) or stops programs of a service at random, while clients write, read and queue jobs.

    python3 tests/fault/kills.py BUILD ROUNDS [SEED]

Each round ends one program or several: workers, their multiwatch, the job runner, processes of jobs,
fetch, PDF and typeset programs, nginx, the supervisor, or all at once; or it stops them (SIGSTOP) for a
while, in each twentieth round for ten seconds. A supervisor that is gone is started again. After each
round: the next write and the next page of a site succeed within LIMIT seconds, and each acknowledged
write is there. Every twentieth round and at the end: every job has ended, `octavo check --deep` finds
nothing, no write is there twice, and no process of an earlier service is left. At the end, the daily
sweep removes each temporary file. The last line is "N passed, N failed, N skipped".
"""
import base64, collections, http.client, http.server, json, os, random, re, shutil, signal, socket, sqlite3, subprocess, sys
import tempfile, threading, time

LIMIT = 30              # seconds until the service answers again
LONG_STOP = 10          # seconds
PAGES = 40              # of an import
LOST = {0, 502, 503, 504}
PROGRAMS = ("octavo-api", "octavo-site", "octavo-jobs", "job", "octavo-fetch", "octavo-pdf", "octavo-typeset", "nginx", "multiwatch",
            "octavo")
SHORT_LIVED = {"job", "octavo-fetch", "octavo-pdf", "octavo-typeset"}
# The first rounds, of which the check runs only these: (programs, how many of each, signal).
FIRST = [(["octavo-api", "octavo-site"], 1, "KILL"), (["octavo-jobs"], 1, "KILL"), (["octavo-api"], 1, "STOP"), (PROGRAMS, 99, "KILL")]
# Files that may stay in the data folder, by their path below it.
FOR_GOOD = re.compile(r"octavo\.(db|key)|octavo\.db-(wal|shm)|octavo\.db\.schema-\d+|(run|log)/.*|blobs/\.swept|blobs/[0-9a-f]{2}/[0-9a-f]{62}"
                      r"|cache/(git/[0-9a-f]{32}|typeset|served|picture|pages)/.*|pdf/[A-Za-z0-9]{22}\.pdf")
TITLES = ("SELECT title FROM space UNION ALL SELECT DISTINCT title FROM node WHERE title IS NOT NULL "
          "UNION ALL SELECT subject FROM change_request UNION ALL SELECT 'merged:' || id FROM change_request WHERE status = 'merged'")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Slow(http.server.BaseHTTPRequestHandler):
    """A server with API descriptions that takes a moment, so that a fetch can be ended."""
    def do_GET(self):
        time.sleep(0.3)
        text = json.dumps({"openapi": "3.0.3", "info": {"title": self.path, "version": "1"}, "paths": {}}).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except OSError:
            pass

    def log_message(self, *_):
        pass


class Client:
    """One connection; an answer that is lost has the status 0."""
    def __init__(self, service):
        self.service, self.connection = service, None

    def ask(self, method, path, body=None):
        headers = {"Authorization": "Bearer " + self.service.token} if path.startswith("/v1") else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        try:
            self.connection = self.connection or http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=90)
            self.connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self.connection.getresponse()
            raw = answer.read()
            return answer.status, json.loads(raw) if raw[:1] == b"{" else raw
        except (OSError, http.client.HTTPException, ValueError):
            if self.connection:
                self.connection.close()
            self.connection = None
            return 0, None


class Service:
    def __init__(self, build):
        self.build = os.path.abspath(build)
        self.tmp = os.path.realpath(tempfile.mkdtemp(prefix="kills."))
        self.data, self.port = self.tmp + "/data", free_port()
        self.env = dict(os.environ, OCTAVO_WORK="0", OCTAVO_FETCH_PRIVATE="1")
        self.repository()
        first = json.loads(self.octavo("init", "--email", "a@example.com", "--name", "A", "--org", "Org", "--json"))
        self.org, self.token = first["organization"], first["token"]

    def repository(self):
        self.repo = self.tmp + "/repo"
        os.mkdir(self.repo)
        with open(self.repo + "/SUMMARY.md", "w") as f:
            f.write("# Table of contents\n\n" + "".join("* [Part %d](part%d.md)\n" % (n, n) for n in range(PAGES)))
        for n in range(PAGES):
            with open(self.repo + "/part%d.md" % n, "w") as f:
                f.write("# Part %d\n\nSee [the next](part%d.md).\n\n```c\nint x%d;\n```\n" % (n, (n + 1) % PAGES, n))
        git = ["git", "-C", self.repo, "-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
        for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
            subprocess.run(git + words, check=True)

    def run(self, *args):
        return subprocess.run([self.build + "/octavo", *args, "--dir", self.data], capture_output=True, env=self.env, check=False)

    def octavo(self, *args):
        p = self.run(*args)
        if p.returncode != 0:
            sys.exit("octavo %s: %s" % (args[0], (p.stdout + p.stderr).decode()))
        return p.stdout

    def up(self):
        return self.run("up", "--port", str(self.port), "--workers", "3")

    def status(self):
        p = self.run("status", "--json")
        return json.loads(p.stdout) if p.stdout[:1] == b"{" else {}

    def rows(self, statement):
        db = sqlite3.connect("file:%s/octavo.db?mode=ro" % self.data, uri=True, timeout=60)
        try:
            return db.execute(statement).fetchall()
        finally:
            db.close()


def processes():
    """pid -> (parent, name, arguments, state)"""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid) as f:
                name, rest = f.read().split("(", 1)[1].rsplit(")", 1)
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                words = f.read().split(b"\0")
            found[int(pid)] = int(rest.split()[1]), os.path.basename(words[0].decode().split(":")[0]) or name, words, rest.split()[0]
        except (OSError, ValueError, IndexError):
            continue
    return found


class Load:
    """Clients that go on whatever happens to the service, and what was acknowledged to them."""
    def __init__(self, service, seed):
        self.service, self.seed = service, seed
        self.acked, self.odd, self.codes = [], [], collections.Counter()
        self.imports, self.numbers, self.lock = [], 0, threading.Lock()
        self.going, self.ended = threading.Event(), False
        self.idle, self.threads = threading.Semaphore(0), []
        self.web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
        threading.Thread(target=self.web.serve_forever, daemon=True).start()
        client = Client(service)
        self.space = self.need(client.ask("POST", "/v1/orgs/%s/spaces" % service.org, {"title": "Site"}))["id"]
        number = self.need(client.ask("POST", "/v1/spaces/%s/change-requests" % self.space, {"subject": "First"}))["number"]
        at = "/v1/spaces/%s/change-requests/%d" % (self.space, number)
        self.need(client.ask("POST", at + "/content", {"changes": [{"operation": "insert_page", "title": "Home", "document": {"markdown": "Words."}}]}))
        self.need(client.ask("POST", at + "/merge"))
        site = self.need(client.ask("POST", "/v1/orgs/%s/sites" % service.org, {"title": "Site", "visibility": "public", "spaces": [self.space]}))
        shown = self.need(client.ask("POST", "/v1/orgs/%s/sites/%s/publish" % (service.org, site["id"])))
        self.site = "/" + shown["urls"]["published"].split("/", 3)[3].rstrip("/")

    @staticmethod
    def need(answer):
        if not 200 <= answer[0] < 300:
            sys.exit("the fixture: %s %s" % answer)
        return answer[1]

    def next(self, letter):
        with self.lock:
            self.numbers += 1
            return "%s%d" % (letter, self.numbers)

    def count(self, what, answer, title=None):
        """True if the request succeeded; its title is acknowledged then."""
        status, body = answer
        with self.lock:
            self.codes[status] += 1
            if 200 <= status < 300:
                if title:
                    self.acked.append(title)
                return True
            if status not in LOST:
                self.odd.append("%s: %s %.300s" % (what, status, body))
        return False

    # ---- what the clients do ----

    def writer(self, client, rng, mine):
        space = mine.get("space", self.space)
        if "request" not in mine:
            subject = self.next("request")
            answer = client.ask("POST", "/v1/spaces/%s/change-requests" % space, {"subject": subject})
            if self.count("a request", answer, subject):
                mine["request"], mine["page"] = answer[1]["id"], None
            return
        at = "/v1/spaces/%s/change-requests/%s" % (space, mine["request"])
        what = rng.randrange(10)
        if what < 5:
            title = self.next("page")
            code = "Words.\n\n```c\nint %s;\n```\n\n$$x^{%d}$$\n" % (title, rng.randrange(1000)) * rng.choice([1, 1, 40])
            done = self.count("a page", client.ask("POST", at + "/content", {"changes": [
                {"operation": "insert_page", "title": title, "document": {"markdown": code}}]}), title)
            mine["page"] = title if done else None
        elif what < 7:
            title = self.next("file") + ".txt"
            text = "".join(rng.choice("abcd") for _ in range(rng.choice([10, 3000]))) + title
            done = self.count("a file", client.ask("POST", at + "/content", {"changes": [{"operation": "insert_files", "files": [
                {"name": title, "contentType": "text/plain", "base64": base64.b64encode(text.encode()).decode()}]}]}), title)
        elif what < 8:
            title = self.next("space")
            done = self.count("a space", client.ask("POST", "/v1/orgs/%s/spaces" % self.service.org, {"title": title}), title)
        else:
            done = self.count("a merge", client.ask("POST", at + "/merge"), "merged:" + mine["request"])
            if done and space == self.space and mine["page"]:
                self.shown = mine["page"]
            del mine["request"]
        if not done:
            mine.pop("request", None)

    shown = None

    def reader(self, client, rng, _):
        paths = ["/v1/spaces/%s/content" % self.space, "/v1/orgs/%s/spaces?limit=50" % self.service.org, "/v1/user", self.site + "/"]
        if self.shown:
            paths += [self.site + "/" + self.shown] * 2
        path = rng.choice(paths)
        self.count("GET " + path, client.ask("GET", path))

    def importer(self, client, rng, _):
        title = self.next("import")
        self.imports.append(title)
        p = self.service.run("import", "--org", self.service.org, "--title", title, "--url", self.service.repo, "--json")
        with self.lock:
            if p.returncode == 0:
                self.acked.append(title)
            elif p.returncode > 0:
                self.odd.append("an import: %s" % (p.stdout + p.stderr).decode())

    def printer(self, client, rng, _):
        answer = client.ask("GET", "/v1/spaces/%s/pdf" % self.space)
        if not self.count("a PDF", answer):
            return
        at = "/" + answer[1]["url"].split("/", 3)[3]
        end = time.time() + 20
        while time.time() < end and self.going.is_set() and self.count("GET " + at, client.ask("GET", at)) is False:
            time.sleep(0.1)

    def describer(self, client, rng, _):
        slug = "api-%d" % rng.randrange(20)
        self.count("an API", client.ask("PUT", "/v1/orgs/%s/openapi/%s" % (self.service.org, slug), {"source": {
            "url": "http://127.0.0.1:%d/%d.json" % (self.web.server_address[1], rng.randrange(10 ** 6))}}))

    # ---- threads ----

    def work(self, what, number, pause):
        client, rng, mine = Client(self.service), random.Random("%s.%s.%s" % (self.seed, what.__name__, number)), {}
        if what == self.writer and number > 0:
            answer = client.ask("POST", "/v1/orgs/%s/spaces" % self.service.org, {"title": "Writer %d" % number})
            mine["space"] = self.need(answer)["id"]
        while not self.ended:
            if not self.going.is_set():
                self.idle.release()
                self.going.wait()
            elif not self.ended:
                what(client, rng, mine)
                time.sleep(pause)

    def begin(self):
        for what, clients, pause in ((self.writer, 4, 0.01), (self.reader, 2, 0.01), (self.importer, 1, 0.2), (self.printer, 1, 0.2),
                                     (self.describer, 1, 0.3)):
            for number in range(clients):
                self.threads.append(threading.Thread(target=self.work, args=(what, number, pause), daemon=True))
                self.threads[-1].start()
        for _ in self.threads:
            self.idle.acquire()
        self.going.set()

    def rest(self):
        self.going.clear()
        for _ in self.threads:
            self.idle.acquire()

    def end(self):
        self.ended = True
        self.going.set()
        for t in self.threads:
            t.join(5)
        self.web.shutdown()


class Rounds:
    def __init__(self, service, seed):
        self.service, self.rng = service, random.Random(seed)
        self.passed, self.failed, self.n, self.title = 0, 0, 0, ""
        self.load, self.client = Load(service, seed), Client(service)
        self.waits, self.ends, self.checked, self.swept = [], collections.Counter(), 0, 0

    def must(self, holds, what, why=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print("FAIL round %d (%s): %s: %s" % (self.n, self.title, what, why), flush=True)
        return holds

    # ---- ending programs ----

    def below(self):
        """The processes of the service: name -> pids."""
        all_of_them, top = processes(), self.service.status().get("pid", 0)
        named = collections.defaultdict(list)
        for pid, (_, name, words, state) in all_of_them.items():
            at = pid
            while at != top and at in all_of_them:
                at = all_of_them[at][0]
            if top > 1 and at == top and state != "Z":
                named["job" if name == "octavo-jobs" and b"--job" in words else name].append(pid)
        return named

    def find(self, wanted):
        """Programs of jobs come and go: the first one that appears within a second."""
        end = time.time() + 1
        named = self.below()
        while not any(named[w] for w in wanted) and set(wanted) & SHORT_LIVED and time.time() < end:
            named = self.below()
        return named

    def choose(self):
        if self.n <= len(FIRST):
            wanted, most, how = FIRST[self.n - 1]
            return list(wanted), most, how
        if self.rng.random() < 0.1:
            return list(PROGRAMS), 99, "KILL"
        wanted = self.rng.sample(PROGRAMS, self.rng.choice([1, 1, 1, 2, 2, 3, 5]))
        return wanted, self.rng.choice([1, 1, 99]), self.rng.choice(["KILL", "KILL", "STOP"]) if self.n % 20 else "STOP"

    def end_programs(self):
        """Returns whether the supervisor was killed."""
        wanted, most, how = self.choose()
        named = self.find(wanted)
        pids = {w: self.rng.sample(named[w], min(most, len(named[w]))) for w in wanted if named[w]}
        self.title = "%s of %s" % (how, ", ".join("%d %s" % (len(p), w) for w, p in pids.items()))
        # The supervisor first: it would start the others again.
        for name in sorted(pids, key=lambda w: w != "octavo"):
            for pid in pids[name]:
                self.send(pid, signal.SIGKILL if how == "KILL" else signal.SIGSTOP)
                self.ends[how + " " + name] += 1
        if how == "STOP":
            time.sleep(LONG_STOP if self.n % 20 == 0 else self.rng.choice([0.1, 0.5, 1]))
            for pid in sum(pids.values(), []):
                self.send(pid, signal.SIGCONT)
        self.wait_ended(sum(pids.values(), []) if how == "KILL" else [])
        return how == "KILL" and "octavo" in pids

    @staticmethod
    def wait_ended(pids):
        """A signal takes effect when the process next runs."""
        end = time.time() + LIMIT
        while time.time() < end and any(processes().get(p, (0, "", [], "Z"))[3] != "Z" for p in pids):
            time.sleep(0.005)

    @staticmethod
    def send(pid, number):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    # ---- what must hold ----

    def works(self):
        title = self.load.next("probe")
        status, _ = self.client.ask("POST", "/v1/orgs/%s/spaces" % self.service.org, {"title": title})
        if status == 201:
            self.load.acked.append(title)
        return status == 201 and self.client.ask("GET", self.load.site + "/")[0] == 200

    def recover(self, start):
        begin = time.time()
        if start:
            p = self.service.up()
            self.must(p.returncode == 0, "octavo up", (p.stdout + p.stderr).decode())
        while not self.works() and time.time() < begin + LIMIT:
            time.sleep(0.05)
        self.waits.append(time.time() - begin)
        self.must(self.waits[-1] < LIMIT, "the next request works", "not within %d seconds" % LIMIT)

    def look(self):
        with self.load.lock:
            acked, odd, self.load.odd = list(self.load.acked), self.load.odd, []
        there = collections.Counter(t for t, in self.service.rows(TITLES))
        lost = [t for t in acked if t not in there]
        self.must(not lost, "acknowledged writes are there", lost[:5])
        twice = [t for t, n in there.items() if n > 1 and re.fullmatch(r"(space|probe|import|request)\d+", t)]
        self.must(not twice, "no write is there twice", twice[:5])
        self.must(not odd, "no answer but success, 502, 503 and 504", odd[:3])
        self.checked = len(acked)

    def look_deep(self):
        self.load.rest()
        p = self.service.run("jobs", "--wait")
        left = self.service.rows("SELECT kind, state, attempts, error FROM job WHERE state IN ('queued', 'running')")
        self.must(not left, "every job ends", "%s %s" % (left[:3], p.stderr.decode()))
        bad = self.service.rows("SELECT kind, error FROM job WHERE state IN ('failed', 'timeout') AND coalesce(error, '') NOT LIKE '%signal 9%'")
        self.must(not bad, "a job fails only if its process was killed", bad[:3])
        short = self.service.rows("SELECT s.title, count(*) FROM space s JOIN node n ON n.branch = s.branch AND n.title LIKE 'Part %%' "
                                  "WHERE s.title LIKE 'import%%' GROUP BY s.id HAVING count(*) <> %d" % PAGES)
        self.must(not short, "an import has all pages or none", short[:3])
        p = self.service.run("check", "--deep")
        self.must(p.returncode == 0, "octavo check --deep", p.stdout.decode() + p.stderr.decode())
        self.strangers(self.service.status().get("pid", 0))

    def strangers(self, top):
        """No process of an earlier service is left."""
        all_of_them, left = processes(), []
        for pid, (_, name, words, state) in all_of_them.items():
            try:
                with open("/proc/%d/environ" % pid, "rb") as f:
                    ours = ("OCTAVO_DIR=%s\0" % self.service.data).encode() in f.read()
            except OSError:
                continue
            at = pid
            while at != top and at in all_of_them:
                at = all_of_them[at][0]
            if ours and at != top and state != "Z" and os.getpid() not in (pid, all_of_them[pid][0]):
                left.append((pid, name))
        self.must(not left, "no process of an earlier service is left", left)

    def left_over(self):
        found = [os.path.relpath(os.path.join(at, f), self.service.data) for at, _, files in os.walk(self.service.data) for f in files]
        return [f for f in found if not FOR_GOOD.fullmatch(f)]

    def sweep(self):
        """Temporary files of killed programs stay for a day. With nothing running, the runner does what it does each day."""
        self.must(self.service.run("down").returncode == 0, "octavo down")
        self.strangers(0)
        left = self.left_over()
        self.swept = len(left)
        for f in left:
            os.utime(self.service.data + "/" + f, (time.time() - 3 * 86400,) * 2)
        if os.path.exists(self.service.data + "/blobs/.swept"):
            os.unlink(self.service.data + "/blobs/.swept")
        subprocess.run([self.service.build + "/octavo-jobs", "--once"], env=dict(self.service.env, OCTAVO_DIR=self.service.data), check=False)
        left = self.left_over()
        self.must(not left, "no temporary file stays", left[:5])
        p = self.service.run("check", "--deep")
        self.must(p.returncode == 0, "octavo check --deep at the end", p.stdout.decode() + p.stderr.decode())

    def round(self):
        self.n += 1
        seen = len(self.load.acked)
        end = time.time() + LIMIT
        while len(self.load.acked) < seen + 5 and time.time() < end:
            time.sleep(0.02)
        time.sleep(self.rng.random() * 0.3)
        self.recover(self.end_programs())
        self.look()
        if self.n % 20 == 0:
            self.look_deep()
            print("%d rounds: %d passed, %d failed" % (self.n, self.passed, self.failed), flush=True)
            self.load.going.set()

    def all(self, rounds):
        self.load.begin()
        while self.n < rounds:
            self.round()
        self.look_deep()
        self.load.end()
        self.look()
        self.sweep()

    def report(self):
        waits, codes = sorted(self.waits), self.load.codes
        if waits:
            print("%d rounds, %d acknowledged writes of %d requests, %d answers lost; ready again after %.1f s (median), %.1f s (longest); "
                  "%d temporary files were swept" % (self.n, len(self.load.acked), sum(codes.values()), sum(codes[c] for c in LOST),
                                                     waits[len(waits) // 2], waits[-1], self.swept))
            print(", ".join("%s: %d" % e for e in sorted(self.ends.items())))


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    service = Service(sys.argv[1])
    rounds = None
    try:
        service.octavo("up", "--port", str(service.port), "--workers", "3")
        rounds = Rounds(service, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
        rounds.all(int(sys.argv[2]))
    finally:
        service.run("down")
        if rounds:
            rounds.report()
        if not os.environ.get("KEEP"):
            shutil.rmtree(service.tmp, ignore_errors=True)
        print("%d passed, %d failed, 0 skipped" % ((rounds.passed, rounds.failed) if rounds else (0, 1)), flush=True)
    # Threads that still wait for an answer must not delay the end.
    sys.stdout.flush()
    os._exit(1 if rounds.failed else 0)


if __name__ == "__main__":
    main()
