"""Pictures of what people see: an answer in a terminal, the head of a report, the page of `cupola serve`."""
import base64
import html
import io
import os
import socket
import subprocess
import time

from PIL import Image
from selenium import webdriver

TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; display: flex; gap: 20px; align-items: center; background: #fff; padding: 4px; width: 1012px }}
img {{ width: 392px; border-radius: 6px }}
pre {{ font: 15px/1.5 "DejaVu Sans Mono", monospace; background: #f5f5f2; color: #222; border-radius: 6px; padding: 16px 18px; margin: 0; flex: 1;
  white-space: pre-wrap; border: 1px solid #ddd }}
b {{ color: #0b61b5 }}
</style><img src="data:image/jpeg;base64,{photo}"><pre>{text}</pre>"""


class Browser:
    """Headless Chromium, in the light, with a camera that sees one file."""

    def __init__(self, video=None):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                         "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"):
            options.add_argument(argument)
        if video:
            options.add_argument(f"--use-file-for-fake-video-capture={video}")
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")))
        self.do, self.cdp = self.driver.execute_script, self.driver.execute_cdp_cmd

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, url, width, height, scale=1):
        self.cdp("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})
        self.cdp("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
        self.driver.get(url)

    def shot(self, width, height):
        shot = self.cdp("Page.captureScreenshot", {"clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
        return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def answer(command, output, photo, folder):
    """A photo beside what the command says of it."""
    page = folder / "answer.html"
    text = f"$ <b>{html.escape(command)}</b>\n{html.escape(output)}"
    page.write_text(TERMINAL.format(photo=base64.b64encode(photo.read_bytes()).decode(), text=text))
    with Browser() as browser:
        browser.open(page.as_uri(), 1020, 400)
        height = browser.do("return Math.ceil(Math.max(...[...document.body.children].map(e => e.getBoundingClientRect().bottom))) + 4")
        return browser.shot(1020, height)


def report(page):
    """The head of a report."""
    with Browser() as browser:
        browser.open(page.resolve().as_uri(), 1000, 800)
        return browser.shot(1000, 800)


def live(tool, model, photo, place, folder):
    """The page of a server whose camera sees one photo, at the place where that was taken."""
    video = folder / "camera.mjpeg"
    frame = io.BytesIO()
    Image.open(photo).convert("RGB").resize((640, 480), Image.LANCZOS).save(frame, "JPEG", quality=92)
    video.write_bytes(frame.getvalue() * 30)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([tool, "serve", model, "--port", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        with Browser(video) as browser:
            url = f"http://127.0.0.1:{port}/"
            browser.cdp("Browser.grantPermissions", {"origin": url, "permissions": ["geolocation", "videoCapture"]})
            browser.cdp("Emulation.setGeolocationOverride", {"latitude": place["latitude"], "longitude": place["longitude"],
                                                             "accuracy": place.get("horizontal_error_m", 8)})
            browser.open(url, 1080, 670)
            for button, wait in ("start-button", 3), ("follow", 1), ("overlay-button", 3):
                browser.do("document.getElementById(arguments[0]).click()", button)
                time.sleep(wait)
            return browser.shot(1080, 670)
    finally:
        server.terminate()
        server.wait()
