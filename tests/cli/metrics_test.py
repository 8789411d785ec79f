#!/usr/bin/python3
"""A web server plays the metrics endpoint of a storage server for `fabricctl doctor --metrics-url`: healthy, slow, broken, unauthorised,
huge, and with certificates that are trusted or not. Each answer is bounded and reported, with what to do next.

Usage: metrics_test.py FABRICCTL SCHEMA. Runs as root in network and mount namespaces of its own."""
import contextlib
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import threading
import time

import jsonschema

import private_host
from private_host import expect, run

VALIDATOR = jsonschema.Draft202012Validator(json.loads(pathlib.Path(os.path.abspath(sys.argv[2])).read_text()))
PREFIX = "minio_system_network_internode_rdma_"
TOKEN = "eyJhbGciOi.very-secret_word.x"
PAGE = "# TYPE x counter\n" + PREFIX + 'pool_fallbacks_total{server="node1:9000"} %d\n' + PREFIX + "nic_credit_waits_total 4\n"
BOUND = 20  # seconds; the program gives an answer 5, this is for a busy machine


def head(status, *lines):
    return ("HTTP/1.1 %s\r\n" % status + "".join(line + "\r\n" for line in lines) + "\r\n").encode()


def page(text, status="200 OK", length=None):
    body = text if isinstance(text, bytes) else text.encode()
    return head(status, "Content-Type: text/plain", "Content-Length: %d" % (len(body) if length is None else length), "Connection: close") + body


class Server:
    """Answers by the first part of the path, which the URL that the program is given ends with."""

    def __init__(self, context=None):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.context = context
        self.requests = []
        self.over = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with contextlib.suppress(OSError), connection:  # who asks may hang up at any time
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            asked = b""
            while b"\r\n\r\n" not in asked:
                if asked.startswith(b"\x16"):  # a greeting of TLS
                    connection.sendall(page("", "400 Bad Request"))
                    return
                more = connection.recv(65536)
                if not more:
                    return
                asked += more
            self.requests.append(asked.decode())
            name = asked.split()[1].decode().split("/")[1]
            for piece in getattr(self, "answer_" + name)():
                connection.sendall(piece)

    def slowly(self, text):
        for byte in text:
            yield bytes([byte])
            if self.over.wait(1):
                return

    def answer_good(self):
        yield page(PAGE % (10 + len(self.requests)) if "internode" in self.requests[-1] else "minio_api_rdma_read_bytes_total 7\n")

    def answer_locked(self):
        allowed = "Authorization: Bearer %s\r\n" % TOKEN in self.requests[-1]
        yield page(PAGE % 3 if allowed else "", "200 OK" if allowed else "403 Forbidden")

    def answer_silent(self):
        self.over.wait(2 * BOUND)
        yield b""

    def answer_dripping(self):
        yield head("200 OK")
        yield from self.slowly(b"a 1\n" * 1000)

    def answer_drippinghead(self):
        yield from self.slowly(head("200 OK", *["X-Slow: yes"] * 100))

    def answer_garbage(self):
        yield bytes(range(256)) * 16

    def answer_closed(self):
        yield b""

    def answer_console(self):
        yield page("<!doctype html>\n<title>Console</title>\n")

    def answer_steering(self):
        yield page(PREFIX + 'pool_fallbacks_total{a="\x1b[2J"} 1\n')

    def answer_cut(self):
        yield page(PAGE % 3, length=100000)

    def answer_short(self):
        yield page(PAGE % 300, length=len(PAGE % 300) - 2)

    def answer_halfaline(self):
        yield head("200 OK") + (PAGE % 3 + PREFIX + "nic_writes_throttled_total 12").encode()

    def answer_packed(self):
        yield head("200 OK", "Content-Encoding: gzip") + b"\x1f\x8b\x08\x00" + b"\x00" * 64 + b"\n"

    def answer_unauthorised(self):
        yield page("", "401 Unauthorized")

    def answer_missing(self):
        yield page("404 page not found\n", "404 Not Found")

    def answer_failing(self):
        yield page("oops", "500 Internal Server Error")

    def answer_failinglong(self):
        yield head("503 Service Unavailable")
        while True:
            yield b"x" * 65536

    def answer_nothing(self):
        yield head("204 No Content")

    def answer_elsewhere(self):
        yield page("", "302 Found").replace(b"\r\n", b"\r\nLocation: http://127.0.0.1:%d/good/\x1b[2J\r\n" % self.port, 1)

    def answer_endless(self):
        yield head("200 OK")
        while True:
            yield b"# and on it goes\n" * 4096

    def answer_announced(self):
        yield page("a 1\n", length=10**12)

    def answer_heads(self):
        yield b"HTTP/1.1 200 OK\r\n"
        while True:
            yield b"X-Header: %s\r\n" % (b"y" * 4000)


def doctor(url, *more, symptom="pool-fallbacks", **options):
    """(rules by id, the whole report, what was printed) of one look at a server, held to its bounds."""
    begin = time.monotonic()
    done = run("doctor", symptom, "--format", "json", "--metrics-url", url, *more, **options)
    expect(time.monotonic() - begin < BOUND, url, "takes too long", time.monotonic() - begin)
    expect(TOKEN.encode() not in done.stdout + done.stderr and b"very-secret" not in done.stdout + done.stderr, url, "shows the token", done)
    expect(b"\x1b" not in done.stdout + done.stderr, url, "steers the terminal", done)
    report = json.loads(done.stdout)
    errors = [error.message for error in VALIDATOR.iter_errors(report)]
    expect(not errors, url, "breaks the schema", errors[:3])
    expect(report["exit_code"] == done.returncode, url, report["exit_code"], done.returncode)
    return {rule["id"]: rule for rule in report["rules"]}, report, done


def refused(url, *words, more=(), **options):
    """The server's answer makes the rule unreadable, and each of these words stands in the reason."""
    rules, report, done = doctor(url, *more, **options)
    rule = rules["pool.fallbacks"]
    expect(rule["verdict"] == "unreadable" and done.returncode == 6, url, rule, done)
    for word in words:
        expect(word in rule["reason"], url, "does not say", word, "but", rule["reason"])
    expect(report["metrics"]["internode"]["error"] == rule["reason"], url, report["metrics"])
    expect("--metrics-token-file" not in rule["reason"] or "status 40" in rule["reason"] or "token" in rule["reason"], url, rule)


@contextlib.contextmanager
def serving(context=None):
    server = Server(context)
    try:
        yield server, "http%s://127.0.0.1:%d/" % ("s" if context else "", server.port)
    finally:
        server.over.set()
        server.listener.close()


def test_what_rises_between_two_looks_is_told():
    with serving() as (server, url):
        rules, report, done = doctor(url + "good", "--interval", "100ms")
        expect(rules["pool.fallbacks"]["verdict"] == "warn" and rules["pool.fallbacks"]["found"] == {PREFIX + "pool_fallbacks_total": 2}, rules, done)
        numbers = {number["name"]: number for number in report["metrics"]["internode"]["numbers"]}
        expect(numbers[PREFIX + "pool_fallbacks_total"]["rise"] == 2 and numbers[PREFIX + "nic_credit_waits_total"]["rise"] == 0, numbers)
        expect([number["value"] for number in report["metrics"]["api"]["numbers"]] == [7], report["metrics"]["api"])
        paths = [request.split()[1] for request in server.requests]
        both = ["/good/minio/metrics/v3/system/network/internode/rdma", "/good/minio/metrics/v3/api/rdma"]
        expect(paths == both * 2, paths)
        expect(not any("Authorization" in request for request in server.requests), "no token was given")
        rules, _, _ = doctor(url + "good/", "--interval", "100ms", symptom="plateau")
        expect(rules["nic.throttle"]["verdict"] == "inconclusive" and "no load" in rules["nic.throttle"]["reason"], rules["nic.throttle"])
        rules, _, _ = doctor(url + "good")
        expect(rules["pool.fallbacks"]["verdict"] == "inconclusive" and "--interval" in rules["pool.fallbacks"]["reason"], rules["pool.fallbacks"])
        text = run("doctor", "pool-fallbacks", "--metrics-url", url + "good", "--interval", "100ms", text=True).stdout
        expect("what the server counts (%sgood):" % url in text and PREFIX + "pool_fallbacks_total" in text and "2 more in between" in text, text)


def test_a_server_that_is_not_asked_is_said():
    done = run("doctor", "pool-fallbacks", "--format", "json")
    rule = json.loads(done.stdout)["rules"][0]
    expect(rule["verdict"] == "inconclusive" and "--metrics-url" in rule["reason"], rule)
    expect(json.loads(done.stdout)["metrics"] is None, done.stdout)


def test_slow_answers_end_after_five_seconds():
    with serving() as (server, url):
        for name in ("silent", "dripping", "drippinghead"):
            refused(url + name, "timed out", "is it up?")
        expect(len(server.requests) == 3, "who does not answer is asked once", server.requests)


def test_broken_answers_are_refused_with_their_line():
    with serving() as (_, url):
        refused(url + "garbage", "malformed", "no web server")
        refused(url + "closed", "refused", "https://")
        refused(url + "console", "line 1", "S3 port")
        refused(url + "steering", "line 1", "no text")
        refused(url + "cut", "malformed", "try again")
        refused(url + "short", "line 3", "cut off")
        refused(url + "halfaline", "line 4", "cut off")
        refused(url + "packed", "line 1", "no text")


def test_unauthorised_and_failing_answers_say_what_is_missing():
    with serving() as (server, url):
        refused(url + "unauthorised", "status 401", "no token was sent", "--metrics-token-file")
        refused(url + "locked", "status 403", "mc admin prometheus generate")
        refused(url + "missing", "status 404", "version 3")
        refused(url + "failing", "status 500")
        refused(url + "failinglong", "status 503")
        refused(url + "nothing", "status 204")
        server.requests.clear()
        refused(url + "elsewhere", "status 302", "leads to http://127.0.0.1:%d/good/" % server.port, "no redirect is followed")
        expect(not any("GET /good" in request for request in server.requests), "a redirect was followed", server.requests)


def test_huge_answers_are_cut_off():
    with serving() as (_, url):
        refused(url + "endless", "8388608 bytes", "File too large")
        refused(url + "announced", "8388608 bytes")
        refused(url + "heads", "headers without end")


def test_nobody_who_listens_is_said():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    refused("http://127.0.0.1:%d" % port, "refused", "does a server listen there?")
    refused("http://no-such-host.invalid:9000", "no-such-host.invalid", "/etc/hosts")


def test_a_name_server_that_does_not_answer_holds_nobody_up():
    pathlib.Path("resolv.conf").write_text("".join("nameserver 127.0.0.%d\n" % n for n in (1, 2, 3)))  # which would take 30 seconds
    subprocess.run(["mount", "--bind", "resolv.conf", "/etc/resolv.conf"], check=True)
    with contextlib.ExitStack() as stack:
        for n in (1, 2, 3):
            deaf = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            deaf.bind(("127.0.0.%d" % n, 53))
        refused("http://node1.example:9000", "node1.example", "timed out")
    subprocess.run(["umount", "/etc/resolv.conf"], check=True)


def test_the_token_is_sent_and_never_shown():
    pathlib.Path("token").write_text(TOKEN + "\n")
    os.chmod("token", 0o600)
    with serving() as (server, url):
        rules, _, done = doctor(url + "locked", "--metrics-token-file", "token")
        expect(rules["pool.fallbacks"]["verdict"] == "inconclusive" and not done.stderr, rules["pool.fallbacks"], done)
        os.chmod("token", 0o644)
        _, _, done = doctor(url + "locked", "--metrics-token-file", "token")
        expect(b"can be read by others" in done.stderr and b"chmod 600" in done.stderr, done.stderr)
        pathlib.Path("other").write_text("very-secret but another\n")
        os.chmod("other", 0o600)
        server.requests.clear()
        refused(url + "locked", "one word", "token", more=("--metrics-token-file", "other"))
        os.symlink("token", "link")
        refused(url + "locked", "symbolic link", more=("--metrics-token-file", "link"))
        refused(url + "locked", "No such file", more=("--metrics-token-file", "absent"))
        expect(not server.requests, "asked without the token that was meant", server.requests)
        refused(url + "unauthorised", "does not take this token", more=("--metrics-token-file", "token"))
        refused(url + "elsewhere", "status 302", more=("--metrics-token-file", "token"))


def test_the_environment_names_no_proxy():
    with serving() as (server, url):
        proxies = {name: "http://127.0.0.1:9" for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "https_proxy")}
        rules, _, _ = doctor(url + "good", env={**os.environ, **proxies})
        expect(rules["pool.fallbacks"]["verdict"] == "inconclusive" and server.requests, rules["pool.fallbacks"])


def certificate(name, alternative):
    """A certificate that signs itself, and its key, as files."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", name + ".key", "-out", name + ".pem", "-days", "2",
                    "-subj", "/CN=fabricctl test", "-addext", "subjectAltName=" + alternative], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(name + ".pem", name + ".key")
    return context


def test_certificates_are_verified():
    with serving(certificate("own", "IP:127.0.0.1")) as (server, url):
        refused(url + "good", "certificate", "--metrics-ca-file")
        expect(not server.requests, "asked who is not trusted", server.requests)
        rules, _, _ = doctor(url + "good", "--metrics-ca-file", "own.pem", "--interval", "100ms")
        expect(rules["pool.fallbacks"]["verdict"] == "warn", rules["pool.fallbacks"])
        refused("http://127.0.0.1:%d/good" % server.port, "https://")
        certificate("stranger", "IP:127.0.0.1")
        refused(url + "good", "certificate", more=("--metrics-ca-file", "stranger.pem"))
        pathlib.Path("no.pem").write_text("no certificate\n")
        for file in ("no.pem", "absent.pem"):
            refused(url + "good", "PEM", more=("--metrics-ca-file", file))
    with serving(certificate("other", "DNS:node9.example")) as (_, url):
        refused(url + "good", "127.0.0.1", "as its certificate does", more=("--metrics-ca-file", "other.pem"))
    with serving() as (server, _):
        refused("https://127.0.0.1:%d/good" % server.port, "does the server speak TLS")


def test_what_cannot_be_meant_is_a_bad_command_line():
    for words in (["--metrics-url", "node1:9000"], ["--metrics-url", "ftp://node1"], ["--metrics-url", "file:///etc/shadow"], ["--metrics-url", ""],
                  ["--metrics-url", "http://a:very-secret@node1"], ["--metrics-url", "http://node1?very-secret"], ["--metrics-token-file", "token"],
                  ["--metrics-ca-file", "own.pem"], ["--metrics-url", "http://node1", "--host", "facts.json"],
                  ["--metrics-url", "http://node1", "--metrics-token-file", ""]):
        done = run("doctor", *words)
        expect(done.returncode == 1 and not done.stdout and b"--metrics" in done.stderr and b"very-secret" not in done.stderr, words, done)


def main():
    code = private_host.main(globals())
    return code


if __name__ == "__main__":
    if os.geteuid() == 0 and "PRIVATE_HOST" in os.environ:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    sys.exit(main())
