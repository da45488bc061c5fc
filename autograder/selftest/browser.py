"""A headless Chromium, driven over its DevTools protocol: open a page, click, look at it."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

# Elements that a selector finds, those inside shadow roots too, in the order of the page.
DEEP = """
function deep(selector, root = document) {
  const found = [];
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(selector)) found.push(element);
    if (element.shadowRoot) found.push(...deep(selector, element.shadowRoot));
  }
  return found;
}
"""


def chromium() -> str | None:
    """The program, or None if there is none on this machine."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One browser with one page, closed by `with`. Raises RuntimeError when a script fails, and
    TimeoutError when what is waited for does not come."""

    def __init__(self, width: int = 1200, height: int = 900) -> None:
        from websockets.sync.client import connect

        program = chromium()
        if program is None:
            raise RuntimeError("no Chromium here: autograder/selftest/install_chromium.sh")
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--remote-debugging-port=0",
                f"--user-data-dir={self._profile.name}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        port_file = Path(self._profile.name, "DevToolsActivePort")
        wait_for(lambda: port_file.exists() and port_file.read_text().count("\n"), 30, "Chromium")
        port, path = port_file.read_text().split()
        self._closing = ExitStack()
        self._socket = self._closing.enter_context(
            connect(f"ws://127.0.0.1:{port}{path}", max_size=None)
        )
        self._session: str | None = None
        self._number = 0
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = session["sessionId"]
        self.resize(width, height)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.close()
        os.killpg(self._process.pid, 9)
        self._process.wait()
        self._profile.cleanup()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._socket.send(json.dumps(message))
        while True:
            answer: dict[str, Any] = json.loads(self._socket.recv(timeout=30))
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result

    def resize(self, width: int, height: int) -> None:
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, scheme: str) -> None:
        """Ask for pages in "light" or "dark"."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.send("Emulation.setEmulatedMedia", features=features)

    def open(self, url: str) -> None:
        self.send("Page.navigate", url=url)

    def js(self, expression: str) -> Any:
        """The value of a JavaScript expression, in which `deep(selector)` may be used."""
        answer = self.send(
            "Runtime.evaluate",
            expression=f"(() => {{ {DEEP} return {expression}; }})()",
            returnByValue=True,
            awaitPromise=True,
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(str(answer["exceptionDetails"].get("exception")))
        return answer["result"].get("value")

    def wait(self, expression: str, seconds: float = 60) -> Any:
        """Wait until the expression is true; return its value."""
        return wait_for(lambda: self.js(expression), seconds, expression)

    def text(self) -> str:
        """What a reader sees on the page, shadow roots and all."""
        seen: str = self.js(
            'deep("*").filter(e => e.shadowRoot || e === document.body)'
            ".map(e => e.shadowRoot ? [...e.shadowRoot.children].filter(c => c.tagName !== 'STYLE')"
            ".map(c => c.innerText ?? '').join(' ') : e.innerText).join('\\n')"
        )
        return seen

    def click(self, element: str) -> None:
        """Click with the mouse in the middle of the element that a JavaScript expression gives, as
        soon as it is there and keeps its place; a page that is being built moves."""
        middle = (
            "(e => { if (!e) return null; e.scrollIntoView({block: 'center', behavior: 'instant'});"
            " const r = e.getBoundingClientRect();"
            f" return [r.x + r.width / 2, r.y + r.height / 2]; }})({element})"
        )
        places: list[Any] = []

        def still() -> bool:
            places.append(self.js(middle))
            return places[-1] is not None and places[-3:] == [places[-1]] * 3

        wait_for(still, 60, element)
        x, y = places[-1]
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press and release a key, such as ArrowRight."""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def colours(self, png: bytes) -> Counter[bytes]:
        """How many pixels of a PNG have which colour (red, green, blue)."""
        data = base64.b64encode(png).decode()
        counts = self.js(
            """(async () => {
              const image = new Image();
              image.src = 'data:image/png;base64,DATA';
              await image.decode();
              const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
              canvas.drawImage(image, 0, 0);
              const found = {};
              new Uint32Array(canvas.getImageData(0, 0, image.width, image.height).data.buffer)
                .forEach(colour => found[colour] = (found[colour] ?? 0) + 1);
              return found;
            })()""".replace("DATA", data)
        )
        channels = {name: int(name).to_bytes(4, "little") for name in counts}
        return Counter({channels[name][:3]: number for name, number in counts.items()})

    def screenshot(self, file: Path | None = None, full_page: bool = False) -> bytes:
        """The page as a PNG, also written to `file`."""
        answer = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=full_page)
        picture = base64.b64decode(answer["data"])
        if file:
            file.write_bytes(picture)
        return picture


Answer = TypeVar("Answer")


def wait_for(condition: Callable[[], Answer], seconds: float, what: str) -> Answer:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.1)
    raise TimeoutError(f"not within {seconds} s: {what}")
