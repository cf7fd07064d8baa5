#!/bin/sh
# Guests over HTTP that say next to nothing must not keep others out.

referee=$(cd "${builddir:-.}/referee" && pwd)/referee
command -v python3 >/dev/null || {
    echo "python3 is missing"
    exit 77
}
. "$(dirname "$0")/checks.sh"
shown="log"
work=$(mktemp -d) || exit 1
trap end EXIT
cd "$work" || exit 1

tokens anna
cat >ref.ini <<END
[server]
control = control
http = 127.0.0.1:0
[listen local]
port = 0
END
serve
# 150 of them, most from one address, which come again when they are
# sent away. A monitor asks ten times, and an honest slow guest of another
# address asks in pieces. Before, everybody waited for more than a second.
cat >guests.py <<\END
import select, socket, sys, time
port = int(sys.argv[1])

def come(i):
    s = socket.socket()
    s.bind((f"127.0.3.{1 + i}" if i < 10 else "127.0.2.1", 0))
    s.connect(("127.0.0.1", port))
    s.sendall(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
    return s

def again():
    for s in select.select(list(slow), [], [], 0)[0]:
        i = slow.pop(s)
        s.close()
        slow[come(i)] = i

def ask(pieces):
    s = socket.create_connection(("127.0.0.1", port))
    for piece in pieces:
        s.sendall(piece)
        again()
    answer = b""
    while not answer.endswith(b"ok\n"):
        answer += s.recv(4096) or sys.exit("hung up on a monitor")
    s.close()

slow = {come(i): i for i in range(150)}
best = 99
for i in range(10):
    again()
    begun = time.monotonic()
    ask([b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"])
    best = min(best, time.monotonic() - begun)
ask([b"GET /healthz HTTP/1.1\r\n", b"Host: x\r\n", b"Connection: close\r\n\r\n"])
print("at once" if best < 0.7 else f"after {best:.3f} s")
END
python3 guests.py $http_port >out 2>&1
same "a monitor is answered" "at once" "$(cat out)"

[ "$failed" = 0 ] && echo "$count check of guests"
exit $((failed > 0))
