"""Rude guests at the daemon's side doors: doors.py FOLDER PORT PID [few].

FOLDER/control and 127.0.0.1:PORT belong to the program doors, process PID.
Whatever they do, a polite guest must still be served, and the memory stays.
With "few" the program has too few descriptors for all its guests."""

import errno
import http.client
import json
import os
import socket
import sys
import threading
import time

folder, port, pid = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
control = os.path.join(folder, "control")
failed = count = 0


def check(name, good, seen=""):
    global failed, count
    count += 1
    if not good:
        failed += 1
        print("%s: %r" % (name, seen))


def get(path, method="GET", body=None, headers=None):
    c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    c.request(method, path, body, headers or {})
    r = c.getresponse()
    text = r.read()
    c.close()
    return r.status, r.headers, text


def raw(data=b"", timeout=60):
    s = socket.create_connection(("127.0.0.1", port), timeout=timeout)
    s.sendall(data)
    return s


def rest(s):
    data = b""
    try:
        while chunk := s.recv(65536):
            data += chunk
    except ConnectionResetError:
        pass
    s.close()
    return data


def call(line):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(60)
    while (wrong := s.connect_ex(control)) == errno.EAGAIN:  # its queue is full
        time.sleep(0.01)
    if wrong:
        raise OSError(wrong, os.strerror(wrong))
    try:
        s.sendall(line)
    except BrokenPipeError:
        pass
    return s


def ask(line):
    answer = rest(call(line))
    check("one line", answer.endswith(b"\n") and answer.count(b"\n") == 1, answer)
    return json.loads(answer)


def memory():
    with open("/proc/%d/status" % pid) as f:
        return next(int(l.split()[1]) for l in f if l.startswith("VmRSS"))


def descriptors():
    return len(os.listdir("/proc/%d/fd" % pid))


def cpu_seconds():
    with open("/proc/%d/stat" % pid) as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(what):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.05)
    return False


def idles(name):
    """While we work it does next to nothing; else it would have as much time."""
    ours, theirs = time.process_time(), cpu_seconds()
    while time.process_time() < ours + 1:
        pass
    theirs = cpu_seconds() - theirs
    check(name + ": idles", theirs < 0.1, theirs)


def still_polite(name):
    answer = get("/healthz")
    check(name + ": healthz", answer[0] == 200 and answer[2] == b"ok\n", answer)
    check(name + ": status", ask(b"status\n").get("state") == "running")


def polite_http():
    code, headers, text = get("/healthz")
    check("healthz", (code, text) == (200, b"ok\n"), (code, text))
    check("type", headers["Content-Type"].startswith("text/plain"), str(headers))
    code, headers, metrics = get("/metrics")
    check("metrics", code == 200 and b"referee_moves_total 0\n" in metrics, metrics)
    check("version", "version=0.0.4" in headers["Content-Type"], str(headers))
    check("length", headers["Content-Length"] == str(len(metrics)), str(headers))
    code, headers, text = get("/metrics", "HEAD")
    check("HEAD", (code, text) == (200, b""), (code, text))
    check("HEAD length", headers["Content-Length"] == str(len(metrics)), str(headers))
    data = rest(raw(b"HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
    check("HEAD has no body", data.endswith(b"\r\n\r\n"), data)
    check("query", get("/healthz?x=1")[0] == 200)

    c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for i in range(100):
        c.request("GET", "/healthz")
        if c.getresponse().read() != b"ok\n":
            check("kept alive", False, i)
    c.close()
    data = rest(raw(b"GET /healthz HTTP/1.0\r\n\r\n"))
    check("HTTP/1.0", data.startswith(b"HTTP/1.0 200") and data.endswith(b"ok\n"), data)
    two = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 2
    s = raw(two + b"GET /nix HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    data = rest(s)
    check("pipelined", data.count(b" 200 OK") == 2 and b" 404 " in data, data)


def api():
    code, headers, text = get("/api/bots/a%2Bb/games?limit=5&x=%20")
    check("api", (code, text) == (200, b'["bots/a+b/games", "5"]'), (code, text))
    check("api type", headers["Content-Type"] == "application/json", str(headers))
    check("api nothing", get("/api/nothing")[0] == 404)
    check("api text", get("/api/text")[1]["Content-Type"].startswith("text/plain"))
    check("api root", get("/api/")[2] == b'["", "none"]', get("/api/"))
    code, _, text = get("/api/much")
    check("api much", (code, text) == (500, b"the answer is too long\n"), (code, text[:99]))
    check("api POST", get("/api/bots", "POST", "x")[0] == 405)
    check("api NUL", get("/api/x%00y")[0] == 400)
    check("api no limit", get("/api/x?limit")[0] in (200, 400))


def rude_http():
    for path in ("/", "/healthz/", "/healthz/..", "/metrics/../healthz",
                 "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//healthz",
                 "/healthz%00", "/HEALTHZ", "/api", "/apis/games", "/metrics%0d%0a"):
        code, _, text = get(path)
        check(path, code == 404 and b"root" not in text, (code, text))
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        code, headers, _ = get("/metrics", method)
        check(method, code == 405 and headers["Allow"] == "GET, HEAD", (code, str(headers)))
    code, _, _ = get("/nothing", "POST", "x")
    check("POST to nothing", code == 404, code)
    code, headers, _ = get("/metrics", "POST", "a=b")
    check("POST with a body", code == 405 and headers["Allow"], code)
    for what, data in (
            ("unknown method", b"BREW /healthz HTTP/1.1\r\n\r\n"),
            ("no version", b"GET /healthz\r\n\r\n"),
            ("wrong version", b"GET /healthz HTTP/9.9x\r\n\r\n"),
            ("garbage", bytes(range(256)) * 4 + b"\r\n\r\n"),
            ("binary path", b"GET /\xff\xfe\x01 HTTP/1.1\r\n\r\n"),
            ("bad header", b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n"),
            ("long header", b"GET /healthz HTTP/1.1\r\nA: " + b"x" * 20000 + b"\r\n\r\n"),
            ("many headers", b"GET /healthz HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n"),
            ("long path", b"GET /" + b"x" * 20000 + b" HTTP/1.1\r\n\r\n"),
            ("endless line", b"x" * 100000),
            ("long body", b"POST /healthz HTTP/1.1\r\nContent-Length: 99999\r\n\r\n"),
            ("negative body", b"POST /healthz HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
            ("huge body", b"POST /healthz HTTP/1.1\r\nContent-Length: 9223372036854775807\r\n\r\n"),
            ("long chunk", b"POST /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n"),
            ("wrong expectation", b"POST /healthz HTTP/1.1\r\nExpect: tea\r\nContent-Length: 3\r\n\r\n")):
        s = raw()
        try:
            s.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        try:
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        answer = rest(s)
        check(what, not answer or answer[8:10] in (b" 4", b" 5"), answer[:80])
    still_polite("rude requests")


def endless_chunk():
    """It is not tried again for ever: others have their turn."""
    cpu = cpu_seconds()
    s = raw(b"POST /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    try:
        s.sendall(b"a" * (1 << 20))
    except OSError:
        pass
    check("the size of a chunk without end", rest(s) == b"")
    cost, requests = cpu_seconds() - cpu, 10000
    request = b"GET /healthz HTTP/1.1\r\n"
    s = raw()
    threading.Thread(target=s.sendall, args=((request + b"\r\n") * (requests - 1) +
                                             request + b"Connection: close\r\n\r\n",)).start()
    check("many requests at once are answered", rest(s).count(b"\r\n\r\nok\n") == requests)
    many = cpu_seconds() - cpu - cost
    check("it costs no more than these", cost <= many, (cost, many))
    still_polite("an endless chunk")


def slow():
    """Their time is up, though they are fewer than there are places."""
    start = time.monotonic()
    slow = [raw(b"GET /healthz HTTP/1.1\r\n") for _ in range(10)]
    silent = [raw() for _ in range(5)]
    half = [raw(b"GET /hea") for _ in range(10)]
    chunks = raw(b"POST /healthz HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunks.setblocking(False)
    deaf = raw()
    deaf.setblocking(False)
    callers = [call(b"sta") for _ in range(15)] + [call(b"kick much\n")]
    answer = ask(b"status\n")
    check("the 17th", "too many" in answer.get("error", ""), answer)
    time.sleep(0.3)
    alive, before, sent = slow[:], memory(), 0
    while alive and time.monotonic() < start + 60:
        for s in alive[:]:
            try:
                s.sendall(b"A: b\r\n")
            except OSError:
                alive.remove(s)
        for s, data in ((chunks, b"a" * 65536), (deaf, b"GET /metrics HTTP/1.1\r\n\r\n" * 100)):
            for _ in range(10):
                try:
                    sent += s.send(data)
                except OSError:
                    break
        time.sleep(0.1)
    took = time.monotonic() - start
    check("slow headers end", not alive and took > 5, took)
    check("memory of the slow", memory() - before < 20000, (before, memory(), sent))
    check("all slow ones are closed", wait_until(lambda: descriptors() <= quiet),
          (descriptors(), quiet))
    for s in callers[:-1]:
        check("the time of a caller is up", rest(s) == b"")
    for s in slow + silent + half + [chunks, deaf, callers[-1]]:
        s.close()
    still_polite("slow ones")


def places():
    """Who asks and asks again must not keep its place when others wait: the
    most silent of an address that has many goes, or is asked to go."""
    request = b"GET /healthz HTTP/1.1\r\n\r\n"
    s = raw(request)
    check("a place to stay", b"Connection: close" not in s.recv(65536))
    many = [raw() for _ in range(100)]
    wait_until(lambda: descriptors() >= quiet + 32)
    s.sendall(request)
    answer = rest(s)
    asked = b"Connection: close" in answer and answer.endswith(b"ok\n")
    check("a place for others", asked or not answer, answer)
    for s in many:
        s.close()
    check("places again", wait_until(lambda: descriptors() <= quiet), (descriptors(), quiet))


def crowd_http():
    before, many = memory(), []
    for _ in range(600):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex(("127.0.0.1", port))
        many.append(s)
    wait_until(lambda: descriptors() >= quiet + 32)
    idles("a crowd")
    check("descriptors in a crowd", descriptors() <= quiet + 32, descriptors())
    for s in many[::2]:
        s.close()
    check("memory of a crowd", memory() - before < 20000, (before, memory()))
    for s in many:
        s.close()
    still_polite("after a crowd")
    check("gone", wait_until(lambda: descriptors() <= quiet), (descriptors(), quiet))


def few_descriptors():
    many = [raw() for _ in range(60)]
    time.sleep(1)
    idles("without descriptors")
    for s in many:
        s.close()
    check("closed again", wait_until(lambda: descriptors() <= quiet), (descriptors(), quiet))
    still_polite("without descriptors")
    many = [socket.socket(socket.AF_UNIX) for _ in range(60)]
    for s in many:
        s.setblocking(False)
        s.connect_ex(control)
    hold = [raw() for _ in range(20)]
    time.sleep(1)
    idles("without descriptors")
    for s in many + hold:
        s.close()
    check("closed again", wait_until(lambda: descriptors() <= quiet), (descriptors(), quiet))
    still_polite("without descriptors")


def polite_control():
    check("mode", os.stat(control).st_mode & 0o777 == 0o600)
    status = ask(b"status\n")
    check("status", status["games"]["done"] == 801, status)
    check("games", ask(b"games\n")["games"][0]["id"] == "duel-802")
    check("kick", ask(b"kick anna\n") == {"kicked": 1})
    check("pause", ask(b"pause\n")["state"] == "paused")
    check("unhealthy", get("/healthz")[0::2] == (503, b"not ready: paused\n"), get("/healthz"))
    check("resume", ask(b"resume\n")["state"] == "running")
    check("reload", ask(b"reload\n") == {"reloaded": True})
    check("reload again", ask(b"reload\n") == {"error": "the new configuration is wrong"})
    s = call(b"")
    for byte in b"status\n":
        s.sendall(bytes([byte]))
        time.sleep(0.01)
    check("byte by byte", json.loads(rest(s))["moves"] == 41023)
    s = call(b"status\n")
    s.shutdown(socket.SHUT_WR)
    check("half closed", json.loads(rest(s))["moves"] == 41023)
    s = call(b"kick much\n")
    time.sleep(0.5)
    check("a long answer", len(json.loads(rest(s))["kicked"]) == 200000)


def rude_control():
    for line, part in (
            (b"\n", "there is no request"), (b"dance\n", "there is no request"),
            (b"STATUS\n", "there is no request"), (b"statusx\n", "there is no request"),
            (b"status now\n", "takes no argument"), (b"kick\n", "kick needs a name"),
            (b"kick \n", "kick needs a name"), (b"kick carl\n", 'nobody is called "carl"'),
            (b"status\0\n", "printable ASCII"), (b"status\r\n", "printable ASCII"),
            (b"kick bytes\n", "d??t? cannot be opened"), (b"\xff\n", "printable ASCII"),
            (b"kick \xc3\xa4\n", "printable ASCII"), (b"kick " + b"x" * 5000 + b"\n", "too long"),
            (b"x" * 100000, "too long"), (b"\0" * 10000, "too long"),
            (b'kick "},{\\\n', 'nobody is called')):
        answer = ask(line)
        check(line[:20], part in answer.get("error", ""), answer)
    for line in (b"", b"stat", b"stop"):
        s = call(line)
        s.shutdown(socket.SHUT_WR)
        check("half a request", rest(s) == b"")

    several = [call(b"sta") for _ in range(16)]
    several.pop().close()
    time.sleep(0.2)
    check("a place is free again", ask(b"status\n").get("state") == "running")
    for s in several:
        s.close()
    for _ in range(500):
        call(b"status\n").close()
    still_polite("rude callers")


def strangers():
    """Who is neither root nor the daemon's user, if the file's mode lets him."""
    if os.geteuid() != 0:
        return
    os.chmod(control, 0o666)
    for place in (folder, os.path.dirname(folder)):
        os.chmod(place, 0o755)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setuid(65534)
            os.write(write, rest(call(b"pause\n")))
        finally:
            os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    answer = os.read(read, 1000)
    check("a stranger", b"only the user" in answer, answer)
    check("a stranger changes nothing", ask(b"status\n")["state"] == "running")


get("/metrics")
time.sleep(0.5)
quiet = descriptors()
if sys.argv[4:] == ["few"]:
    few_descriptors()
else:
    polite_http()
    api()
    rude_http()
    endless_chunk()
    slow()
    places()
    crowd_http()
    polite_control()
    rude_control()
    strangers()

# For a clean end in the middle of it all.
open_ends = [raw(b"GET /hea"), raw(), call(b"sta")]
check("stop", ask(b"stop\n") == {"state": "stopping", "running": 3})
for s in open_ends:
    s.settimeout(60)
    check("closed at the end", rest(s) == b"")
print("%d checks, %d failed" % (count, failed))
sys.exit(failed > 0)
