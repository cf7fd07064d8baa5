#!/usr/bin/env python3
"""Play on a server with a bot that reads stdin and writes stdout, or hand it in.

    connect.py HOST PORT NAME TOKEN_FILE [OPTION...] -- COMMAND
    connect.py HOST PORT NAME TOKEN_FILE [OPTION...] --submit FOLDER|ARCHIVE
    connect.py HOST PORT NAME TOKEN_FILE [OPTION...] --versions
    connect.py HOST PORT NAME TOKEN_FILE [OPTION...] --register CODE

    --tls           encrypt, and check the server's certificate
    --ca FILE       trust these certificates instead of the system's
    --once          do not connect again when it is over
    --ladders A,B   play on these ladders only
    --submit WHAT   hand in a folder, or a zip or tar file, and show the verdict
    --watch         hand nothing in: show what came of the last hand-in
    --versions      show which versions the server has, and which one plays
    --withdraw V    take version V back: the one before plays again
    --choose V      let version V play again
    --register CODE take NAME with an invitation; its token goes to TOKEN_FILE

This one file does what "referee connect", "submit",
"submissions" and "register" do, wherever Python 3.8 or later
runs: Linux, macOS, Windows. It logs in, starts COMMAND, carries lines both
ways, and tells what happens: opponents, results, ratings, faults, and why the
bot waits. When the connection breaks it connects again. Ctrl-C lets the game
end first; a second Ctrl-C gives it up. The exit code is 0 after Ctrl-C, 2 if
the bot cannot be started, and with --once 1 if the connection or the bot failed.
With --submit it is 0 if the bot was accepted, 1 if it was refused, 2 if there is
no verdict.
"""
import argparse
import base64
import gzip
import hashlib
import hmac
import io
import os
import signal
import socket
import ssl
import subprocess
import sys
import tarfile
import threading
import time

FIRST_WAIT, LONGEST_WAIT = 1, 60  # seconds between two connections
GOOD = 10  # a connection that lasts so long was a good one
QUIT = 2  # seconds for the bot to end by itself
PIECE = 750  # bytes of an archive in a line
LEFT_OUT = (".git", "__pycache__")  # no part of a bot


def say(text):
    print(time.strftime("%H:%M:%S"), text, file=sys.stderr, flush=True)


class Refused(Exception):
    """The server does not want us; the text says why."""


class NoBot(Exception):
    """The program cannot be started."""


class Session:
    """One connection, and the bot that plays over it."""

    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()  # whoever sends to the server has it
        self.bot = None
        self.bye = ""  # why the server ends it
        self.on_told = None  # who hears the rest
        self.commands = 0  # that the server has sent
        self.over = threading.Event()

    def connect(self):
        o = self.options
        sock = socket.create_connection((o.host, o.port), timeout=30)
        # An answer must not wait for the next one to fill a packet.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if o.tls:
            context = ssl.create_default_context(cafile=o.ca)
            sock = context.wrap_socket(sock, server_hostname=o.host)
        self.sock = sock
        self.lines = sock.makefile("rb")

    def send(self, text):
        with self.lock:
            self.sock.sendall(text)

    def take_news(self, line):
        """A line "# KIND TEXT" is for us, not for the bot."""
        kind, _, text = line[1:].decode("ascii", "replace").strip().partition(" ")
        if kind == "bye":
            self.bye = text
        elif self.on_told:
            self.on_told(kind, text)
        else:
            say(f"fault: {text}" if kind == "fault" else text)

    def next_line(self):
        """The server's next command, or nothing at the end."""
        while (line := self.lines.readline()).startswith(b"#"):
            self.take_news(line)
        return line

    def login(self, wishes="news", what="login"):
        words = self.next_line().split()
        if len(words) != 3 or words[1] != b"login":
            raise Refused(self.bye or "no login was asked for: is this the "
                          "port of a referee, and does it want --tls?")
        number, _, nonce = (word.decode("ascii") for word in words)
        o = self.options
        if what == "register":
            write_token(o, nonce)
        text = f"referee-{what}-1 {o.name} {nonce}"
        proof = hmac.new(o.token.encode(), text.encode(), hashlib.sha256)
        if o.ladders:
            wishes += f" ladders={o.ladders}"
        self.send(f"={number} {o.name} {proof.hexdigest()} {wishes}\n\n".encode())
        self.sock.settimeout(None)

    def start_bot(self):
        try:
            self.bot = subprocess.Popen(
                self.options.command, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE)
        except OSError as error:
            self.sock.close()
            raise NoBot(error) from error

    def to_bot(self):
        """From the server to the bot, until one of them ends."""
        try:
            while line := self.next_line():
                self.commands += 1
                self.bot.stdin.write(line)
                self.bot.stdin.flush()
        except OSError as error:
            self.bye = self.bye or f"the connection is broken: {error}"
        self.over.set()

    def from_bot(self):
        """From the bot to the server: whole lines, so that ours fit between."""
        try:
            for line in self.bot.stdout:
                self.send(line)
        except OSError:
            pass
        self.over.set()

    def leave(self):
        """Let the server end it when the game is over."""
        try:
            self.send(b"#leave\n")
        except OSError:
            self.over.set()

    def end(self):
        try:
            self.bot.stdin.close()
        except OSError:
            pass
        try:
            self.bot.wait(QUIT)
        except subprocess.TimeoutExpired:
            self.bot.kill()
            self.bot.wait()
        self.sock.close()

    def play(self, ending):
        """Until it is over; `ending` counts the wishes to end."""
        self.connect()
        self.login()
        self.start_bot()
        for work in (self.to_bot, self.from_bot):
            threading.Thread(target=work, daemon=True).start()
        asked = False
        while not self.over.wait(0.2) and ending.wishes < 2:
            if ending.wishes and not asked:
                asked = True
                self.leave()
        self.end()
        if self.commands == 0 and not ending.wishes:
            raise Refused(self.bye or "the server closed right after the "
                          "login: wrong name or token?")
        if self.bye:
            say(f"the server has closed the connection: {self.bye}")
        if self.bot.returncode and not ending.wishes:
            say(f"the bot exited with code {self.bot.returncode}")
            return False
        return True


def write_token(options, nonce):
    """Before the server hears of us: it computes the same token."""
    text = f"referee-token-1 {options.name} {nonce}"
    token = hmac.new(options.token.encode(), text.encode(), hashlib.sha256)
    text = base64.urlsafe_b64encode(token.digest()).decode().rstrip("=")
    try:
        file = os.open(options.token_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        give_up(f"{options.token_file} is there already: name another file")
    with open(file, "w") as out:
        out.write(text + "\n")
    options.is_written = True


def register(options):
    """Take the name, with the code of an invitation: 0 if it is ours now."""
    registered = False

    def on_told(kind, text):
        nonlocal registered
        registered = registered or kind == "registered"

    session = Session(options)
    session.on_told = on_told
    try:
        session.connect()
        session.login(f"register={options.token.partition('-')[0]}", "register")
        while session.next_line():
            pass
    except (Refused, OSError) as why:
        if not session.bye:
            say(why)
    if registered:
        print(f"{options.name} is registered; its token is in {options.token_file}")
        return 0
    if session.bye:
        say(session.bye)
        if options.is_written:  # another file of that name is not ours
            os.unlink(options.token_file)
    elif options.is_written:
        say("the connection broke: the name may be registered or not; if it "
            f"is, the token in {options.token_file} works")
    return 1 if session.bye else 2


def ask(options, order):
    """The versions of the bot, after an order like "#choose 3f2a"."""
    answered = False

    def on_told(kind, text):
        nonlocal answered
        if kind == "submit":
            session.send(f"{order}\n".encode())
        elif kind in ("version", "plays", "playing"):
            answered = True
            print(f"{kind:<9} {text}")

    session = Session(options)
    session.on_told = on_told
    try:
        session.connect()
        session.login("submit")
        while session.next_line():
            pass
    except (Refused, OSError) as why:
        say(why)
        return 2
    if session.bye != "that is all":
        say(session.bye or "the connection broke")
    return 0 if answered else 2


class HandIn:
    """An archive on its way to the server, and what comes of it."""

    def __init__(self, options):
        self.options = options
        self.data = b"" if options.watch else pack(options.submit)
        self.digest = hashlib.sha256(self.data).hexdigest()
        self.code = None  # no verdict yet
        self.is_there = False  # the server has all of it
        self.output = []  # it comes before its stage

    def send(self):
        for at in range(0, len(self.data), PIECE):
            piece = base64.b64encode(self.data[at:at + PIECE]).decode()
            self.session.send(f"#part {piece}\n".encode())
            if sys.stderr.isatty() and at % (64 * PIECE) == 0:
                done = 100 * at // len(self.data)
                print(f"\rsent {done} %", end="\r", file=sys.stderr)

    def on_told(self, kind, text):
        if kind == "submit" and self.options.watch:
            self.session.send(b"#watch\n")
        elif kind == "submit" and self.is_there:  # we come back
            self.is_there = False
            self.session.send(f"#watch {self.digest}\n".encode())
        elif kind == "submit":
            line = f"#handin {len(self.data)} {self.digest}\n"
            self.session.send(line.encode())
        elif kind == "send":
            self.send()
        elif kind == "output":
            self.output.append(text)
        else:
            self.is_there = True
            print(f"{kind:<9} {text}")
            for line in self.output:
                print(f"    {line}")
            sys.stdout.flush()
            self.output = []
            verdicts = {"accepted": 0, "refused": 1, "failed": 2}
            self.code = verdicts.get(kind, self.code)

    def talk(self):
        """One connection: True if it is over."""
        self.session = Session(self.options)
        self.session.on_told = self.on_told
        self.session.connect()
        self.session.login("submit")
        while self.session.next_line():
            pass
        self.session.sock.close()
        bye = self.session.bye
        if self.code is None and bye and bye != "stopping":
            say(bye)
            self.code = 2
        return self.code is not None

    def run(self):
        wait = FIRST_WAIT
        while True:
            try:
                if self.talk():
                    return self.code
                why = self.session.bye or "the connection broke"
            except Refused as refusal:
                say(f"the server refuses: {refusal}")
                return 2
            except OSError as error:
                why = f"no connection: {error}"
            say(f"{why}; next try in {wait} s")
            time.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)


def files_of(top):
    """The files of a folder, in an order that is always the same."""
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(f for f in folders if f not in LEFT_OUT)
        for name in folders + sorted(files):
            path = os.path.join(folder, name)
            if os.path.islink(path) or not (os.path.isfile(path)
                                            or os.path.isdir(path)):
                give_up(f"{path} is neither a file nor a folder; links "
                        "and devices cannot be handed in")
            if os.path.isfile(path):
                yield path


def pack(path):
    """The bytes of an archive: without dates and owners, so always the same."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read()
    if not os.path.isdir(path):
        give_up(f"{path}: there is no such file or folder")
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name in files_of(path):
            inside = os.path.relpath(name, path).replace(os.sep, "/")
            info = tarfile.TarInfo(inside)
            info.size = os.path.getsize(name)
            info.mode = 0o755 if os.access(name, os.X_OK) else 0o644
            with open(name, "rb") as file:
                tar.addfile(info, file)
        if not tar.getmembers():
            give_up(f"{path} contains no files")
    return gzip.compress(out.getvalue(), mtime=0)


def give_up(why):
    print(f"connect.py: {why}", file=sys.stderr)
    sys.exit(2)


class Ending:
    """Counts Ctrl-C and SIGTERM."""

    def __init__(self):
        self.wishes = 0
        for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self.wish)

    def wish(self, *_):
        self.wishes += 1
        if self.wishes == 1:
            say("exiting after the game; interrupt again to abandon it")


def read_options():
    parser = argparse.ArgumentParser(
        description="Let a bot play on a server.", usage=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("name")
    parser.add_argument("token_file")
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--ca")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--ladders")
    parser.add_argument("--submit")
    parser.add_argument("--watch", action="store_true")
    parser.add_argument("--versions", action="store_true")
    parser.add_argument("--withdraw")
    parser.add_argument("--choose")
    parser.add_argument("--register")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    options.command = words[split + 1:]
    options.order = (f"#withdraw {options.withdraw}" if options.withdraw
                     else f"#choose {options.choose}" if options.choose
                     else "#versions" if options.versions else "")
    if options.register:
        options.token = options.register
        options.is_written = False
        return options
    if not (options.command or options.submit or options.watch or options.order):
        sys.exit("connect.py: the bot's command is missing; "
                 "write it after --, as in: -- python3 bot.py")
    try:
        with open(options.token_file) as file:
            options.token = file.readline().strip()
    except OSError as error:
        sys.exit(f"connect.py: {options.token_file}: {error.strerror}")
    return options


def play_once(options, ending):
    """True if it went well; and how long it lasted."""
    began = time.monotonic()
    session = Session(options)
    try:
        return session.play(ending), time.monotonic() - began
    except NoBot as why:
        say(f"the bot cannot be started: {why}")
        sys.exit(2)
    except Refused as why:
        say(f"the server refuses: {why}")
    except OSError as error:
        say(f"no connection to {options.host} port {options.port}: {error}")
    return False, 0


def main():
    options = read_options()
    if options.register:
        sys.exit(register(options))
    if options.order:
        sys.exit(ask(options, options.order))
    if options.submit or options.watch:
        try:
            sys.exit(HandIn(options).run())
        except KeyboardInterrupt:
            say("what the server has, it goes on with; --watch shows the verdict")
            sys.exit(2)
    ending = Ending()
    wait = FIRST_WAIT
    while True:
        good, lasted = play_once(options, ending)
        if ending.wishes:
            sys.exit(0)
        if options.once:
            sys.exit(0 if good else 1)
        if lasted > GOOD:
            wait = FIRST_WAIT
        say(f"next try in {wait} s")
        until = time.monotonic() + wait
        while time.monotonic() < until and not ending.wishes:
            time.sleep(0.2)
        if ending.wishes:
            sys.exit(0)
        wait = min(2 * wait, LONGEST_WAIT)


if __name__ == "__main__":
    main()
