"""submit.py HOST:PORT FOLDER NAME: hand in line by line, rightly and wrongly."""
import base64
import hashlib
import hmac
import io
import socket
import sys
import tarfile
import zipfile

host, port = sys.argv[1].rsplit(":", 1)
folder, name = sys.argv[2:]
token = open(f"{folder}/{name}.token").read().strip()
failed = 0


class Client:
    def __init__(self):
        self.socket = socket.create_connection((host, int(port)), timeout=120)
        self.lines = self.socket.makefile("rb")
        number, _, nonce = self.lines.readline().decode().split()
        proof = hmac.new(token.encode(), f"referee-login-1 {name} {nonce}".encode(),
                         hashlib.sha256).hexdigest()
        self.say(f"={number} {name} {proof} submit\n")
        self.ready = self.line()

    def say(self, *lines):
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def line(self):
        return self.lines.readline().decode().rstrip("\n")

    def rest(self):
        try:
            return self.lines.read().decode().splitlines()
        except OSError:  # it closed while we were still sending
            return []

    def announce(self, data):
        self.say(f"#handin {len(data)} {hashlib.sha256(data).hexdigest()}")

    def send(self, data, piece=750):
        for at in range(0, len(data), piece):
            self.say("#part " + base64.b64encode(data[at:at + piece]).decode())


def expect(what, lines, text):
    global failed
    if not any(text in line for line in lines):
        failed = 1
        print(f"{what}: no \"{text}\" in {lines}")


def refused_line(what, *lines, text):
    client = Client()
    client.say(*lines)
    expect(what, client.rest(), text)


def tar(*members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for path, kind, link in members:
            info = tarfile.TarInfo(path)
            info.type, info.linkname = kind, link
            archive.addfile(info, io.BytesIO(b""))
    return out.getvalue()


def bomb():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot.py", bytes(300 << 20))
    return out.getvalue()


def hands_in(what, data, text):
    client = Client()
    client.announce(data)
    expect(what, [client.line()], "# send now")
    client.send(data)
    expect(what, client.rest(), text)


assert Client().ready == "# submit 1048576"
order = "say #handin BYTES SHA256, #part BASE64, #watch, #versions"
numbers = 'say "#handin BYTES SHA256"'
digest = "0" * 64
refused_line("no order", "hello", text=order)
refused_line("no order", "#handinn 1 2", text=order)
refused_line("no numbers", "#handin", text=numbers)
refused_line("no digest", "#handin 12", text=numbers)
refused_line("a short digest", "#handin 12 abcd", text=numbers)
refused_line("a negative size", f"#handin -1 {digest}", text=numbers)
refused_line("too large", f"#handin 2000000 {digest}",
             text="the archive has 2000000 bytes, and at most 1048576 are taken")
refused_line("a part first", "#part AAAA",
             text='a #part comes after the line "# send"')
refused_line("twice", f"#handin 9 {digest}", f"#handin 9 {digest}", text=order)
refused_line("a version of nothing", "#choose ab", text="nothing was handed in as")
refused_line("an empty version", "#withdraw", text="nothing was handed in as")
client = Client()
client.say("x" * 3000)
client.rest()  # it is closed

client = Client()
client.say(f"#handin 9 {digest}")
client.line()
client.say("#part ????")
expect("no base64", client.rest(), "a #part is base64, of 1 to 768 bytes")
client = Client()
client.say(f"#handin 9 {digest}")
client.line()
client.send(b"0123456789")
expect("too many bytes", client.rest(), "more came than the 9 bytes")
client = Client()
client.say(f"#handin 9 {digest}")
client.line()
client.send(b"012345678")
expect("another digest", client.rest(), "has not the SHA-256 that was announced")

client = Client()  # it goes in the middle: nothing is left
client.announce(b"0123456789")
client.line()
client.send(b"01234")  # another one with the same takes its place
again = Client()
again.announce(b"0123456789")
expect("the older one", client.rest(), "a newer connection hands in the same")
again.send(b"0123456789")
expect("the newer one", again.rest(), "it is neither a folder nor a zip or tar")

hands_in("a bomb", bomb(), "it is larger than 64 MiB when unpacked")
hands_in("a path", tar(("../../evil", tarfile.REGTYPE, "")),
         'the path "../../evil" is not allowed')
hands_in("a link", tar(("bot.py", tarfile.SYMTYPE, "/etc/passwd")),
         "bot.py is neither a file nor a folder")
hands_in("a hard link", tar(("bot.py", tarfile.LNKTYPE, "/etc/passwd")),
         "bot.py is neither a file nor a folder")
hands_in("a device", tar(("bot.py", tarfile.CHRTYPE, "")),
         "bot.py is neither a file nor a folder")
hands_in("a pipe", tar(("bot.py", tarfile.FIFOTYPE, "")),
         "bot.py is neither a file nor a folder")
sys.exit(failed)
