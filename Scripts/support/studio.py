"""The server and the page of `cupola studio`, controlled in headless Chromium."""
import contextlib
import hashlib
import http.client
import io
import json
import re
import signal
import subprocess
import sys
import threading
import time
import zipfile
from urllib.parse import urlsplit

from PIL import Image, ImageDraw
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import browser
from support.browser import CONTRAST, SIZES, check
from support.common import CUPOLA

UNNAMED = ("button", "searchbox", "textbox", "combobox", "application", "image", "tab", "tabpanel", "listbox", "option", "dialog", "progressbar")


RECORDER = r"""
window.wrong = [];
addEventListener('securitypolicyviolation', e => wrong.push(`${e.violatedDirective} ${e.blockedURI}`));
addEventListener('error', e => wrong.push(e.message));
addEventListener('unhandledrejection', e => wrong.push('unhandled: ' + e.reason));
"""


def opened(downloads):
    """Open a browser that records errors, and saves downloads in a folder."""
    driver = browser.chromium()
    driver.set_script_timeout(30)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORDER})
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
    browser.screen(driver, "desktop")
    return driver


def drawn(number):
    photo = Image.new("RGB", (96, 72), (number * 37 % 256, number * 91 % 256, number * 53 % 256))
    ImageDraw.Draw(photo).text((10, 25), str(number), fill="white")
    return photo


def fill(folder, labels, count):
    """Create a project folder with small photos."""
    for label in range(labels):
        (folder / f"photos/building_{label:02}").mkdir(parents=True)
        for number in range(count):
            drawn(label * count + number).save(folder / f"photos/building_{label:02}/{number:03}.jpg", quality=80)


def imdf():
    """Return an IMDF archive with a building in a venue."""
    ring = [[16.9, 52.4], [16.91, 52.4], [16.91, 52.41], [16.9, 52.41], [16.9, 52.4]]
    files = {"venue": ({"name": {"en": "Campus"}, "category": "university"}, ring), "building": ({"name": {"en": "Hall"}, "category": "unspecified"}, None),
             "footprint": ({"category": "ground", "building_ids": ["building"]}, ring)}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", '{"version":"1.0.0","created":"2026-01-01T00:00:00Z","language":"en"}')
        for kind, (properties, ring) in files.items():
            geometry = ring and {"type": "Polygon", "coordinates": [ring]}
            archive.writestr(f"{kind}.geojson", json.dumps({"type": "FeatureCollection", "name": kind, "features": [
                {"id": kind, "type": "Feature", "feature_type": kind, "geometry": geometry, "properties": properties}]}))
    return data.getvalue()


class Server:
    """`cupola studio` with a project folder."""

    def __init__(self, folder):
        self.folder, self.port, self.process, self.url = folder, browser.free_port(), None, None
        self.start()

    def start(self):
        self.process = subprocess.Popen([CUPOLA, "studio", self.folder, "--port", str(self.port)], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if found := re.search(r"http://\S+\?token=(\S+)", line):
                self.url, self.token = found.group(), found.group(1)
                threading.Thread(target=self.process.stdout.read, daemon=True).start()
                return
        sys.exit(f"cupola studio: no address in its output: {''.join(lines)}")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait()

    def ask(self, method, path, body=None, headers=None, length=None):
        """Send a request with the token; return the status and the JSON answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        all_headers = {"Authorization": f"Bearer {self.token}",
                       "Content-Type": "application/octet-stream" if isinstance(body, bytes) else "application/json"}
        all_headers.update(headers or {})
        try:
            connection.putrequest(method, path, skip_host="Host" in all_headers)
            if isinstance(body, dict):
                body = json.dumps(body).encode()
            size = length if length is not None else len(body or b"")
            for name, value in {**all_headers, "Content-Length": size}.items():
                if value is not None:
                    connection.putheader(name, str(value))
            connection.endheaders()
            if body:
                connection.send(body)
            answer = connection.getresponse()
            data = answer.read()
        finally:
            connection.close()
        with contextlib.suppress(ValueError):
            return answer.status, json.loads(data)
        return answer.status, data

    def state(self):
        return self.ask("GET", "/api/state")[1]

    def photos(self):
        return [photo[0] for photo in self.ask("GET", "/api/photos")[1]["photos"]]


def random_change(server, chance, given):
    """Send a random change and return the status."""
    state, photos = server.state(), server.photos()
    labels = [entry["label"] for entry in state["labels"]]
    some_photos = chance.sample(photos, min(len(photos), chance.randint(1, 9)))
    ring = [[16.9 + chance.random() / 50, 52.4 + chance.random() / 50] for _ in range(4)]
    change = chance.choice(["move", "move", "split", "remove", "rename", "merge", "add", "map", "fence"])
    bodies = {
        "move": {"op": "move", "photos": some_photos, "label": chance.choice(labels), "kind": "photos"},
        "split": {"op": "move", "photos": some_photos, "label": f"part_{chance.randint(1, 99)}", "kind": "photos"},
        "remove": {"op": "remove", "photos": some_photos},
        "rename": {"op": "rename", "label": chance.choice(labels), "kind": "photos", "to": f"name_{chance.randint(1, 99)}", "toKind": "photos"},
        "merge": {"op": "rename", "label": labels[0], "kind": "photos", "to": labels[-1], "toKind": "photos"},
    }
    if change in bodies:
        return change, server.ask("POST", "/api/change", bodies[change])
    if change == "fence":
        return change, server.ask("POST", "/api/fence", {"rings": [[*ring, ring[0]]]})
    if change == "map":
        return change, server.ask("POST", "/api/map?name=campus.geojson", (given / "campus.geojson").read_bytes())
    batch = f"batch{chance.randrange(10 ** 9)}"
    photo = io.BytesIO()
    drawn(chance.randrange(10 ** 6)).save(photo, "JPEG")
    server.ask("POST", f"/api/upload?batch={batch}&name=new/{batch}.jpg", photo.getvalue())
    return change, server.ask("POST", "/api/add", {"batch": batch, "label": None, "kind": "photos"})


def quietly(run, *given):
    """Run a function whose connection may break."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError, KeyError, TypeError, IndexError):
        run(*given)


def contents(folder):
    """The digests of what belongs to the user: photos and the map."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in folder.rglob("*") if path.is_file() and path.relative_to(folder).parts[0] in ("photos", "negatives", "campus.geojson", "campus.csv")}


class Page:
    def __init__(self, driver, url, pictures=None):
        self.driver, self.do, self.cdp, self.pictures = driver, driver.execute_script, driver.execute_cdp_cmd, pictures
        self.wrong = []
        driver.get("about:blank")
        driver.get(url)
        self.until("document.getElementById('state').textContent === 'Connected'", "no connection")

    def until(self, condition, problem, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.do("return " + condition):
                return True
            time.sleep(0.1)
        self.wrong.append(f"{problem} ({self.text('said')})")
        return False

    def done(self, name):
        check(name, self.wrong)
        self.wrong = []

    def text(self, identifier):
        return self.do("return document.getElementById(arguments[0]).textContent", identifier)

    def center(self, selector):
        return self.do("const e = document.querySelector(arguments[0]); e.scrollIntoView({block: 'nearest'}); "
                       "const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]", selector)

    def count(self, label):
        found = self.do("return document.querySelector(`[data-label=\"${arguments[0]}\"] .count`)?.textContent ?? null", label)
        return 0 if found is None else int(found)

    def until_count(self, label, count, seconds=60):
        return self.until(f"+(document.querySelector('.labels [data-label=\"{label}\"] .count')?.textContent ?? 0) === {count}",
                          f"{label}: {self.count(label)} photos instead of {count}", seconds)

    def field(self, identifier, *paths):
        """Choose files in a file field, as the browser's dialog does."""
        self.driver.find_element(By.ID, identifier).send_keys("\n".join(map(str, paths)))

    # The mouse

    def click(self, selector, times=1, keys=""):
        x, y = self.center(selector)
        for kind in ("mouseMoved", *("mousePressed", "mouseReleased") * times):
            self.mouse(kind, x, y, keys)

    def mouse(self, kind, x, y, keys=""):
        self.cdp("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "none" if kind == "mouseMoved" and keys != "drag" else "left", "clickCount": 1,
                                              "buttons": 1 if kind != "mouseReleased" and keys == "drag" else 0,
                                              "modifiers": {"shift": 8, "control": 2}.get(keys, 0)})

    def drag(self, selector, target):
        (x, y), (to_x, to_y) = self.center(selector), self.center(target)
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y)
        for step in range(1, 11):
            self.mouse("mouseMoved", x + (to_x - x) * step / 10, y + (to_y - y) * step / 10, "drag")
        self.mouse("mouseReleased", to_x, to_y)

    def drop(self, selector, *paths):
        x, y = self.center(selector)
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.cdp("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})

    # The keyboard

    def press(self, *keys):
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def hold(self, *keys):
        """Press the last key while the others are held."""
        chain = ActionChains(self.driver, duration=0)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            chain.key_up(key)
        chain.perform()

    def focused(self):
        return self.do("const e = document.activeElement; return [e.id || e.dataset.label || e.dataset.match || e.dataset.format || e.tagName, getComputedStyle(e).outlineStyle]")

    def tab_to(self, wanted, back=False):
        for _ in range(120):
            name, outline = self.focused()
            if name == wanted:
                if outline == "none":
                    self.wrong.append(f"the focus on {wanted} is not visible")
                return True
            self.hold(*[Keys.SHIFT] * back, Keys.TAB)
        self.wrong.append(f"the Tab key does not reach {wanted}")
        return False

    def step(self, name):
        """Open a step with the arrow keys of the tabs."""
        self.do("document.activeElement.blur(); scrollTo(0, 0)")
        for _ in range(20):
            self.press(Keys.TAB)
            if self.focused()[0].startswith("tab-"):
                break
        for _ in range(5):
            if self.focused()[0] == f"tab-{name}":
                return
            self.press(Keys.ARROW_RIGHT)
        self.wrong.append(f"the arrow keys do not reach the step {name}")

    # Appearance

    def looks(self, name):
        for size in SIZES:
            for scheme in ("light", "dark"):
                browser.screen(self.driver, size, scheme)
                time.sleep(0.5)
                check(f"{name}, {size} {scheme}", browser.too_wide(self.driver, size) + self.do(CONTRAST, True))
                browser.picture(self.driver, self.pictures, f"studio-{size}-{scheme}-{name}")
        browser.screen(self.driver, "desktop")
        time.sleep(0.3)
        self.wrong += [f"{name}: {node['role']['value']} without a name" for node in self.cdp("Accessibility.getFullAXTree", {})["nodes"]
                       if not node.get("ignored") and node["role"]["value"] in UNNAMED and not node.get("name", {}).get("value", "").strip()]
        self.done(f"{name}, names")

    def quiet(self, name):
        host = urlsplit(self.do("return location.href")).netloc
        own = ("data:", "about:", "blob:", "chrome:")
        foreign = [url for url in browser.requested(self.driver) if not url.startswith(own) and urlsplit(url).netloc != host]
        # There are no thumbnails of damaged photos, and this script itself reads the drawing of the evidence.
        lines = [line for line in browser.console(self.driver) if "/api/thumb" not in line and "willReadFrequently" not in line]
        check(f"{name}: console and requests", lines + self.do("return wrong") + foreign)


def exported(page, downloads, format):
    end = time.monotonic() + 120
    while time.monotonic() < end and not (found := list(downloads.glob(f"*{format}.zip"))):
        time.sleep(0.2)
    names = zipfile.ZipFile(found[0]).namelist() if found else []
    if not any(name.endswith("README.md") or name.endswith("README.txt") for name in names):
        page.wrong.append(f"the export contains {names[:5]}")
