"""Functions that control headless Chromium, for scripts that test pages."""
import base64
import contextlib
import json
import os
import socket
import subprocess
import time

from PIL import Image
from selenium import webdriver

from support.common import CUPOLA, PHOTOS

SIZES = {"phone": (390, 844, 2), "desktop": (1280, 900, 1)}
problems = []

# Returns texts whose contrast does not meet WCAG 2.2 AA. If the argument is true, also checks the edges of fields and buttons (1.4.11).
CONTRAST = r"""
function channels(text) {
  const found = text.match(/[\d.]+/g).map(Number);
  return found.length < 4 ? found.concat(1) : found;
}
function luminance(c) {
  const [r, g, b] = c.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function ground(element) {
  for (let at = element; at; at = at.parentElement) {
    const c = channels(getComputedStyle(at).backgroundColor);
    if (c[3] > 0) return c;
  }
  return [255, 255, 255, 1];
}
const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
const bad = [];
for (const element of document.querySelectorAll('body *')) {
  const isField = arguments[0] && element.matches('input, select'), isDrawn = element instanceof SVGElement;
  const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own && !isField || !element.getClientRects().length || element.closest('title, .skip, .unseen, option, datalist')) continue;
  if (isDrawn && /\bon-/.test(element.getAttribute('class') || '')) continue;  // texts on bars are tested in PageStyleTests
  const style = getComputedStyle(element), paper = luminance(ground(element));
  const found = ratio(luminance(channels(isDrawn ? style.fill : style.color)), paper);
  if (found < 4.5) bad.push(`${found.toFixed(2)} ${element.tagName} "${element.textContent.trim().slice(0, 40)}"`);
  if (isField || arguments[0] && element.matches('button:enabled')) {
    const around = luminance(ground(element.parentElement));
    const edge = Math.max(ratio(luminance(channels(style.borderTopColor)), around), ratio(paper, around));
    if (edge < 3) bad.push(`edge ${edge.toFixed(2)} ${element.tagName} "${element.id}"`);
  }
}
return bad;
"""


def check(name, wrong):
    for problem in wrong:
        problems.append(f"{name}: {problem}")
    print(f"{'ok  ' if not wrong else 'FAIL'} {name}", flush=True)


def finish():
    """Print all problems and return the exit code."""
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def chromium(video=None):
    """Start a browser whose camera shows the JPEG images in a file, or Chromium's test image."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage",
                     "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"):
        options.add_argument(argument)
    if video:
        options.add_argument(f"--use-file-for-fake-video-capture={video}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    options.accept_insecure_certs = True  # local servers use self-signed certificates
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    return webdriver.Chrome(options, webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver")))


def screen(driver, size, scheme="light", media="screen"):
    width, height, scale = SIZES[size]
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": size == "phone"})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"media": media, "features": [{"name": "prefers-color-scheme", "value": scheme},
                                                         {"name": "prefers-reduced-motion", "value": "reduce"}]})


def too_wide(driver, size):
    """Return a problem if the page is wider than the screen. Does not use innerWidth, because phones zoom out on wide pages."""
    width = driver.execute_script("return Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    return [f"{width - SIZES[size][0]} pixels too wide"] if width > SIZES[size][0] else []


def picture(driver, folder, name):
    """Save a screenshot of the whole page, if a folder is given."""
    if not folder:
        return
    folder.mkdir(parents=True, exist_ok=True)
    driver.execute_script("scrollTo(0, 0)")
    width, height = driver.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
    (folder / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))


def requested(driver):
    """Return the URLs that the page has requested since the last call."""
    urls = set()
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.add(message["params"]["request"]["url"])
        elif message["method"] == "Network.webSocketCreated":
            urls.add(message["params"]["url"])
    return urls


def console(driver, ignored=None):
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] != ignored]


def film(path, labels, seconds, rate=25):
    """Write a camera video that shows each of the given buildings on the sample campus for some seconds."""
    with open(path, "wb") as file:
        for label in labels:
            photo = Image.open(PHOTOS / f"{label}/15.jpg").convert("RGB")
            for number in range(seconds * rate):
                shift = 2 * (number % 8)
                photo.crop((shift, 0, photo.width - 16 + shift, photo.height)).resize((640, 480)).save(file, "JPEG", quality=90)
    return path


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextlib.contextmanager
def served(model, *options):
    """Run `cupola serve` with a model and yield the server's URL."""
    port = free_port()
    server = subprocess.Popen([CUPOLA, "serve", model, "--port", str(port), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()
