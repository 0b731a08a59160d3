"""Asks `cupola classify` and all exports that can run here about the same 60 photos, and prints how many answers agree.

    Scripts/verify answers [MODEL]

Trains a model for the sample campus without photos of the gate house, or uses MODEL. Photos show buildings (without a position, with their
own position, with the position of another building, or off campus), two buildings blended, a building that is only on the map, and other
subjects. They are so small that `classify` decodes them at full size; it decodes larger JPEG photos at a reduced size. Each export gets the photo file,
or its pixels, position and heading, as its README.md says: Python with ONNX Runtime, C, the web page's recognizer in Chromium, and the
TFLite and Core ML models with the rules in Python; coremltools' NumPy operations compute the Core ML model. The exit code is 1 if a title differs, which is the
verdict with its buildings, or a probability differs by more than 0.15%, because texts round to 0.1%.
"""
import base64
import functools
import http.server
import importlib
import json
import os
import re
import shutil
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

from ai_edge_litert.interpreter import Interpreter
from PIL import Image

from exports.coreml import Package
from exports.photos import cupola, upright
from support.browser import chromium
from support.common import PHOTOS, run

HIDDEN = "gate_house"
GPS, ORIENTATION = 0x8825, 0x112
LATITUDE, LONGITUDE, HEADING, ERROR = 2, 4, 17, 31
SHORT_SIDE = 200  # 7/8 of it, the next size that JPEG decoders offer, is smaller than the model's 192 pixels
MOST_DIFFERENCE = 0.15
ASK = r"""
const [photo, done] = arguments, bytes = Uint8Array.from(atob(photo), letter => letter.charCodeAt(0));
(async () => {
  const { CampusRecognizer } = await import('./recognizer.js');
  window.recognizer ??= await CampusRecognizer.load();
  const { title, detail } = await recognizer.answer(new Blob([bytes], { type: 'image/jpeg' }));
  done({ title, detail });
})().catch(error => done({ title: String(error), detail: '' }));
"""


# MARK: Photos

def write(path, picture, gps, orientation=1):
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    if gps:
        exif[GPS] = gps
    path.parent.mkdir(exist_ok=True)
    width, height = picture.size
    picture = picture.resize((round(width * SHORT_SIDE / min(width, height)), round(height * SHORT_SIDE / min(width, height))))
    picture.save(path, "JPEG", quality=95, subsampling=0, exif=exif)  # all decoders return the same pixels


def sixty(folder):
    """Write 60 photos, each in the folder of its group."""
    def source(label, number):
        photo = PHOTOS / label / f"{number:02}.jpg"
        return photo, dict(Image.open(photo).getexif().get_ifd(GPS))
    labels = sorted(path.name for path in PHOTOS.iterdir() if path.is_dir() and not path.name.startswith("_"))
    known = [label for label in labels if label != HIDDEN]
    for label in known:
        photo, gps = source(label, 15)
        write(folder / "named" / f"{label}.jpg", upright(photo), None)
        write(folder / "position" / f"{label}.jpg", upright(source(label, 16)[0]), source(label, 16)[1])
        if label in known[:8]:
            moved = {**gps, LATITUDE: (gps[LATITUDE][0] + 1, *gps[LATITUDE][1:])}
            write(folder / "off campus" / f"{label}.jpg", upright(photo), moved)
    for first, second in zip(known[:4], known[3:]):
        # The image indicates one building, the position another one.
        write(folder / "contradicted" / f"{first}.jpg", upright(source(first, 13)[0]), source(second, 13)[1])
        pictures = [upright(source(label, 14)[0]).resize((400, 300)) for label in (first, second)]
        write(folder / "blended" / f"{first}.jpg", Image.blend(*pictures, 0.5), None)
    for number in range(9, 17):
        write(folder / "map only" / f"{number}.jpg", upright(source(HIDDEN, number)[0]), source(HIDDEN, number)[1])
    for number in range(35, 49):
        photo, gps = source("_not_a_building", number)
        picture = upright(photo)
        # Every second one has a position, and some are stored sideways.
        sideways = number % 4 == 0
        stored = picture.transpose(Image.Transpose.ROTATE_90) if sideways else picture
        write(folder / "rejected" / f"{number}.jpg", stored, gps if number % 2 else None, 6 if sideways else 1)
    return sorted(folder.rglob("*.jpg"))


def place(photo):
    """Return latitude, longitude, error and heading in a photo; empty if it has no position."""
    gps = Image.open(photo).getexif().get_ifd(GPS)
    if not gps:
        return ()
    degrees = [float(gps[tag][0]) + float(gps[tag][1]) / 60 + float(gps[tag][2]) / 3600 for tag in (LATITUDE, LONGITUDE)]
    return (*degrees, float(gps[ERROR]), float(gps[HEADING]))


class Site(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


# MARK: Answers as (title, percentage or None)

def parts(line):
    found = re.fullmatch(r"(.*) \(([\d.]+)%\)", line)
    return (found[1], float(found[2])) if found else (line, None)


def classified(model, photos):
    lines = cupola("classify", model, *photos, "--jsonl", "--quiet").stdout.splitlines()
    answers = {answer["photo"]: answer for answer in map(json.loads, lines)}
    found = [answers[str(photo)] for photo in photos]
    return [(a["title"], 100 * a["probability"] if a["verdict"] == "building" else None) for a in found], [a["detail"] for a in found]


def python(folder):
    sys.path.insert(0, str(folder))
    return importlib.import_module("recognize")


def ask_python(recognize, photos):
    def answer(photo):
        latitude, longitude, error, heading = place(photo) or (None,) * 4
        return parts(recognize.answer(str(photo), (longitude, latitude, error) if error else None, heading))
    return [answer(photo) for photo in photos]


def ask_c(folder, photos):
    run(os.environ.get("CC", "gcc"), "-O1", "-std=c99", "-o", folder / "example", folder / "example.c", folder / "cupola.c", "-lm")
    def answer(photo):
        upright(photo).save(folder / "photo.ppm")
        return parts(run(folder / "example", folder / "photo.ppm", *place(photo)).strip())
    return [answer(photo) for photo in photos]


def ask_web(folder, photos):
    """Return the answers, and their details."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Site, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = chromium()
    try:
        browser.get(f"http://127.0.0.1:{server.server_port}/")
        found = [browser.execute_async_script(ASK, base64.b64encode(photo.read_bytes()).decode()) for photo in photos]
    finally:
        browser.quit()
        server.shutdown()
    return [(a["title"], parts(f"{a['title']} ({a['detail']})")[1]) for a in found], [a["detail"] for a in found]


def tflite(model):
    """Return a function that computes the probabilities of a square's pixels."""
    interpreter = Interpreter(str(model), num_threads=1)
    interpreter.allocate_tensors()
    (image,), (output,) = interpreter.get_input_details(), interpreter.get_output_details()

    def compute(pixels):
        interpreter.set_tensor(image["index"], pixels[None])
        interpreter.invoke()
        return interpreter.get_tensor(output["index"])[0].astype(float)
    return compute


def ask_rules(recognize, compute, photos):
    """Apply the rules of the ONNX export to the probabilities of another export."""
    def probabilities(path):
        photo = upright(path)
        return compute(recognize.square(photo)), photo.width < photo.height
    others, recognize.probabilities = recognize.probabilities, probabilities
    try:
        return ask_python(recognize, photos)
    finally:
        recognize.probabilities = others


# MARK: The table

def differs(found, wanted):
    return found[0] != wanted[0] or (found[1] is None) != (wanted[1] is None) or distance(found, wanted) > MOST_DIFFERENCE


def distance(found, wanted):
    return abs((found[1] or 0) - (wanted[1] or 0))


def table(photos, wanted, columns):
    groups = sorted({photo.parent.name for photo in photos})
    def kind(answer):
        return "named" if answer[1] is not None else re.sub("(Probably|Unsure).*", r"\1", answer[0])
    print("| photos | `classify` |" + "".join(f" {name} |" for name in columns))
    print("|---" * (len(columns) + 2) + "|")
    for group in groups:
        mine = [i for i, photo in enumerate(photos) if photo.parent.name == group]
        kinds = Counter(kind(wanted[i]) for i in mine)
        agreed = [f" {sum(not differs(found[i], wanted[i]) for i in mine)} |" for found in columns.values()]
        print(f"| {len(mine)} {group} | {', '.join(f'{count} {name}' for name, count in kinds.items())} |" + "".join(agreed))
    all_agreed = [f" {sum(not differs(f, w) for f, w in zip(found, wanted))} |" for found in columns.values()]
    print(f"| **{len(photos)}** | |" + "".join(all_agreed))


def main():
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        model = sys.argv[1] if len(sys.argv) > 1 else scratch / "campus.safetensors"
        if len(sys.argv) == 1:
            shutil.copytree(PHOTOS, scratch / "training", ignore=shutil.ignore_patterns(HIDDEN))
            table_of_photos = scratch / "training/split.csv"
            lines = table_of_photos.read_text().splitlines(keepends=True)
            table_of_photos.write_text("".join(line for line in lines if HIDDEN not in line))
            cupola("train", scratch / "training", "-o", model, "--preset", "fast", "--campus", PHOTOS / "campus.geojson", "--quiet")
        for form in ("onnx", "c", "web", "tflite", "coreml"):
            cupola("export", model, "--format", form, "-o", scratch / form, "--quiet")
        (scratch / "photos").mkdir()
        photos = sixty(scratch / "photos")
        wanted, details = classified(model, photos)
        recognize, package = python(scratch / "onnx"), Package(scratch / "coreml/Campus.mlpackage")
        web, web_details = ask_web(scratch / "web", photos)
        columns = {"Python (ONNX)": ask_python(recognize, photos), "C": ask_c(scratch / "c", photos), "web": web,
                   "TFLite": ask_rules(recognize, tflite(scratch / "tflite/campus.tflite"), photos),
                   "Core ML": ask_rules(recognize, lambda pixels: package.probabilities(pixels)[0], photos)}
        table(photos, wanted, columns)
        most = {name: max(map(distance, found, wanted)) for name, found in columns.items()}
        print("Largest difference in probability: " + ", ".join(f"{name} {points:.1f}%" for name, points in most.items()))
        others = [f"{photo.parent.name}/{photo.name}: {theirs}, classify {mine}"
                  for photo, mine, theirs in zip(photos, details, web_details) if mine != theirs]
        print(f"The web page's whole text differs for {len(others)} of {len(photos)} photos.", *others, sep="\n")
        faults = [f"{photo.parent.name}/{photo.name}: {name} {found[i]}, classify {wanted[i]}" for name, found in columns.items()
                  for i, photo in enumerate(photos) if differs(found[i], wanted[i])]
        print("\n".join(faults))
    sys.exit(1 if faults or len(photos) != 60 else 0)


if __name__ == "__main__":
    main()
