"""`python -m lab`: open the lab in the browser, at the page that watches a search."""

import argparse
import importlib.util
import logging
import runpy
import secrets
import socket
import sys
import threading
import time
import webbrowser
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parent / "notebooks"
HOST = "127.0.0.1"


def is_listening(port: int) -> bool:
    """Return whether a server of this machine can be reached at the port."""
    with socket.socket() as client:
        return client.connect_ex((HOST, port)) == 0


def open_browser(port: int, address: str) -> None:
    """Send the browser to the lab, as soon as the lab can be reached.

    Other users of this machine see the browser's command line, so the address there works once.
    """
    path = f"/{secrets.token_urlsafe(16)}"
    answered: list[int] = []

    class Redirect(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != path:
                self.send_error(404)
                return
            while not is_listening(port):
                time.sleep(0.1)
            self.send_response(302)
            self.send_header("Location", address)
            self.end_headers()
            answered.append(302)

        def log_message(self, *args: object) -> None:
            """Print nothing."""

    with HTTPServer((HOST, 0), Redirect) as server:
        webbrowser.open(f"http://{HOST}:{server.server_port}{path}")
        while not answered:
            server.handle_request()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lab")
    parser.add_argument("--headless", action="store_true", help="open no browser")
    args = parser.parse_args()
    if not all(map(importlib.util.find_spec, ("marimo", "altair", "anywidget"))):
        print('The lab needs marimo, altair and anywidget: pip install ".[lab]"', file=sys.stderr)
        return 2
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        port = listener.getsockname()[1]
    # The lab runs the student's code: other users of this machine must not get in.
    token = secrets.token_urlsafe(16)
    address = f"http://{HOST}:{port}/?access_token={token}&file=watch.py"
    print(f"The lab opens in your browser. To end it: Ctrl-C. Its address:\n{address}", flush=True)
    if not args.headless:
        threading.Thread(target=open_browser, args=[port, address], daemon=True).start()
    # A closed page may reconnect within this number of seconds; then its searches end.
    options = ["--headless", "--port", str(port), "--session-ttl", "5", "--token-password", token]
    # Ctrl-C cancels all tasks: that is no error.
    log = logging.getLogger("uvicorn.error")
    log.addFilter(lambda record: "CancelledError" not in record.getMessage())
    sys.argv = ["marimo", "--quiet", "run", str(NOTEBOOKS), *options]
    runpy.run_module("marimo", run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
