"""Creates the pictures in the documents from the sample campus and its model: the processing stages of a photo in
Sources/Cupola/Cupola.docc/Resources, and screenshots in Documentation/Pictures. Check them before you commit them.

The exit code is 1 if the computed numbers differ from the output of `cupola`.
"""
import base64
import contextlib
import html
import io
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

from goldens import stages
from support.browser import chromium, served
from support.common import MODEL, PHOTOS, ROOT, cupola

PHOTO = PHOTOS / "founders_hall/14.jpg"
STAGES, SCREENS = ROOT / "Sources/Cupola/Cupola.docc/Resources", ROOT / "Documentation/Pictures"
MOST_BYTES = 60_000
EPOCH = "1795435200"  # fixes the creation date in reports

TERMINAL = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; display: flex; gap: 20px; align-items: center; background: #fff; padding: 4px; width: 1012px }}
img {{ width: 392px; border-radius: 6px }}
pre {{ font: 15px/1.5 "DejaVu Sans Mono", monospace; background: #f5f5f2; color: #222; border-radius: 6px; padding: 16px 18px; margin: 0; flex: 1;
  white-space: pre-wrap; border: 1px solid #ddd }}
b {{ color: #0b61b5 }}
</style><img src="data:image/jpeg;base64,{photo}"><pre>{text}</pre>"""


def save(picture, path):
    """Save as a PNG with 256 colors if this is small enough, otherwise as a JPEG whose quality is reduced until it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for old in path.parent.glob(path.name + ".*"):
        old.unlink()
    best = io.BytesIO()
    picture.quantize(256, dither=0).save(best, "PNG", optimize=True)
    kind = "png"
    if best.tell() > 0.75 * MOST_BYTES:
        kind = "jpg"
        for quality in range(88, 28, -4):
            best = io.BytesIO()
            picture.save(best, "JPEG", quality=quality, optimize=True, subsampling=0)
            if best.tell() <= MOST_BYTES:
                break
    file = path.with_name(f"{path.name}.{kind}")
    file.write_bytes(best.getvalue())
    print(f"{file.relative_to(ROOT)}: {picture.width} x {picture.height}, {len(best.getvalue()) / 1000:.0f} kB", flush=True)


def draw_stages():
    with tempfile.TemporaryDirectory() as folder:
        seen = stages.Stages(stages.Model(MODEL), PHOTO, f"{folder}/square.jpg")
        told = json.loads(cupola("explain", MODEL, f"{folder}/square.jpg", "--json"))
    labels = seen.model.labels
    own = seen.logits[labels.index(told["label"])] - seen.logits[labels.index(told["against"])]
    if abs(own - told["logit_difference"]) > 1e-3:
        sys.exit(f"logit difference: {own:.4f} drawn, {told['logit_difference']:.4f} from the command")
    names = {building["label"]: building["name"] for building in catalog()}
    save(stages.draw_preparation(seen), STAGES / "stage-square")
    save(stages.draw_planes(seen), STAGES / "stage-planes")
    save(stages.draw_gradients(seen), STAGES / "stage-gradients")
    save(stages.draw_cells(seen), STAGES / "stage-cells")
    save(stages.draw_patches(seen), STAGES / "stage-patches")
    save(stages.draw_vector(seen), STAGES / "stage-vector")
    save(stages.draw_logits(seen, names), STAGES / "stage-answer")
    with tempfile.TemporaryDirectory() as folder:
        cupola("explain", MODEL, PHOTO, "-o", f"{folder}/explanation.png", "--size", 640)
        save(Image.open(f"{folder}/explanation.png").convert("RGB"), STAGES / "explanation")


def catalog():
    features = json.loads((PHOTOS / "campus.geojson").read_text())["features"]
    return [{"label": each["properties"].get("label") or each["properties"].get("id") or each.get("id"), "name": each["properties"]["name"]}
            for each in features if each["properties"].get("role") == "building"]


def draw_screens():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for shown, file in ("visit.jpg", PHOTO), ("campus.safetensors", MODEL), ("photos", PHOTO.parent.parent):
            (folder / shown).symlink_to(file)
        output = cupola("classify", "campus.safetensors", "visit.jpg", cwd=folder)
        save(answer("cupola classify campus.safetensors visit.jpg", output, PHOTO, folder), SCREENS / "answer")
        cupola("evaluate", "campus.safetensors", "photos", "--report", "report", cwd=folder, env=dict(os.environ, SOURCE_DATE_EPOCH=EPOCH))
        save(report(folder / "report/report.html"), SCREENS / "report")
        told = json.loads(cupola("classify", MODEL, PHOTO, "--json"))[0]
        save(live(told["position"], folder), SCREENS / "live")


# MARK: Screens

@contextlib.contextmanager
def opened(url, width, height, video=None, position=None):
    """Open a page in light mode, in a browser window of a given size."""
    driver = chromium(video)
    try:
        if position:
            driver.execute_cdp_cmd("Browser.grantPermissions", {"origin": url, "permissions": ["geolocation", "videoCapture"]})
            driver.execute_cdp_cmd("Emulation.setGeolocationOverride", position)
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
        driver.get(url)
        yield driver
    finally:
        driver.quit()


def shot(driver, width, height):
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}})
    return Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def answer(command, output, photo, folder):
    """Show a photo next to the output of `cupola classify`."""
    page = folder / "answer.html"
    text = f"$ <b>{html.escape(command)}</b>\n{html.escape(output)}"
    page.write_text(TERMINAL.format(photo=base64.b64encode(photo.read_bytes()).decode(), text=text))
    with opened(page.as_uri(), 1020, 400) as driver:
        height = driver.execute_script("return Math.ceil(Math.max(...[...document.body.children].map(e => e.getBoundingClientRect().bottom))) + 4")
        return shot(driver, 1020, height)


def report(page):
    """Show the top of a report."""
    with opened(page.resolve().as_uri(), 1000, 800) as driver:
        return shot(driver, 1000, 800)


def live(place, folder):
    """Show the live page while the camera shows one photo and the position is the photo's."""
    video = folder / "camera.mjpeg"
    frame = io.BytesIO()
    Image.open(PHOTO).convert("RGB").resize((640, 480), Image.LANCZOS).save(frame, "JPEG", quality=92)
    video.write_bytes(frame.getvalue() * 30)
    position = {"latitude": place["latitude"], "longitude": place["longitude"], "accuracy": place.get("horizontal_error_m", 8)}
    with served(MODEL) as url, opened(url, 1080, 670, video, position) as driver:
        for button, wait in ("start-button", 3), ("follow", 1), ("overlay-button", 3):
            driver.execute_script("document.getElementById(arguments[0]).click()", button)
            time.sleep(wait)
        return shot(driver, 1080, 670)


draw_stages()
draw_screens()
