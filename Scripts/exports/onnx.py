"""Runs ONNX exports of a model in ONNX Runtime and compares them with `cupola classify`.

Selects COUNT (default: 200) photos from the folder PHOTOS, evenly by name. The exit code is 1 if

- onnx.checker's full check fails, two exports of the same model differ, or an export takes 2 s or more;
- with float32 weights, a probability differs by more than 1e-4, or an answer differs although its two highest probabilities are more than
  1e-3 apart;
- with float16 or int8 weights, a probability differs by more than 1e-4 from Cupola's with the same stored weights, or more than 0.5%
  of the labels differ from float32;
- fewer than 99% of the labels equal Cupola's if photo files are decoded and resized by Pillow (bicubic, which is its default, and bilinear)
  or by OpenCV (area). The result for OpenCV's default, which skips pixels, is only printed;
- a file is more than 5% or 24 kB (whichever is more) larger than weights, labels, thresholds and map;
- for a clear label, the export's recognize.py gives a different answer than Cupola (`Scripts/verify guides` runs the
  JavaScript code);
- `cupola verify` rejects an export, or accepts one of nine damaged exports;
- on one thread, the time from the square to the answer is more than twice Cupola's.
"""
import hashlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import cv2
import numpy as np
import onnx
from PIL import Image

from exports import photos as shared
from exports.quick import Session
from exports.photos import check, compare, cupola, recognized

WEIGHTS = ("float32", "float16", "int8")


# MARK: Decoders and resamplers used by apps

def by_pillow(kind):
    return lambda photo, side: np.asarray(shared.upright(photo).resize((side, side), kind))


def by_opencv(kind):
    def read(photo, side):
        picture = cv2.imread(str(photo), cv2.IMREAD_COLOR)  # applies the EXIF orientation
        return cv2.cvtColor(cv2.resize(picture, (side, side), interpolation=kind), cv2.COLOR_BGR2RGB)
    return read


READERS = {
    "Pillow, bicubic": (by_pillow(Image.Resampling.BICUBIC), True),
    "Pillow, bilinear": (by_pillow(Image.Resampling.BILINEAR), True),
    "OpenCV, area": (by_opencv(cv2.INTER_AREA), True),
    "OpenCV, linear": (by_opencv(cv2.INTER_LINEAR), False),
}


# MARK: Checks

def damages(path):
    """Yield nine damaged versions of a file as bytes."""
    whole = path.read_bytes()
    model = onnx.load_from_string(whole)

    def changed(body):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        body(copy)
        return copy.SerializeToString()

    def swap_labels(m):
        texts = [a for a in m.graph.node[-1].attribute if a.name == "values_strings"][0].strings
        texts[0], texts[1] = texts[1], texts[0]

    def flip_weight(m):
        tensor = max(m.graph.initializer, key=lambda t: len(t.raw_data))
        data = bytearray(tensor.raw_data)
        data[len(data) // 2] ^= 0x40
        tensor.raw_data = bytes(data)

    def rename_edge(m):
        m.graph.node[5].input[0] = "nowhere"

    def newer(m):
        m.ir_version = 99

    def other_input(m):
        m.graph.input[0].name = "picture"

    def other_size(m):
        m.graph.input[0].type.tensor_type.shape.dim[1].dim_value += 2

    def other_threshold(m):
        [p for p in m.metadata_props if p.key == "decision"][0].value = '{"least_odds":-9}'

    def other_operation(m):
        [n for n in m.graph.node if n.op_type == "Relu"][0].op_type = "Abs"

    yield "cut short", whole[:len(whole) // 2]
    for body in (swap_labels, flip_weight, rename_edge, newer, other_input, other_size, other_threshold, other_operation):
        yield body.__name__, changed(body)


def check_damages(model, folder, scratch):
    """Check that `cupola verify` detects each damaged model from the model itself; the manifest is changed to match the damaged file."""
    for name, data in damages(folder / "campus.onnx"):
        copy = scratch / f"damaged-{name}".replace(" ", "-")
        shutil.copytree(folder, copy)
        (copy / "campus.onnx").write_bytes(data)
        manifest = json.loads((copy / "export.json").read_text())
        manifest["files"]["campus.onnx"] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        (copy / "export.json").write_text(json.dumps(manifest))
        result = cupola("verify", copy, model, accept=(0, 65))
        check(result.returncode == 65, f"verify, {name}: {(result.stderr.splitlines() or ['accepted'])[0].split(': ', 2)[-1]}")


def check_guide(model, folder, photos, expected):
    """Run the unmodified program."""
    verdicts = {"building": None, "unsure": "Unsure", "not_a_campus_building": "Not a Campus Building"}
    answers = cupola("classify", model, *photos, "--jsonl", "--no-place", "--quiet", "--threads", 1).stdout.splitlines()
    others, unclear = [], 0
    for photo, line, apart in zip(photos, answers, shared.margins(expected)):
        found = subprocess.run([sys.executable, "-B", "recognize.py", photo.resolve()], cwd=folder, stdout=subprocess.PIPE, text=True)
        answer = json.loads(line)
        # With a map, the guide prints the building's name; without one, its label.
        name = answer.get("building", {}).get("name") or answer.get("label", "")
        wanted = verdicts[answer["verdict"]] or name + " ("
        if not found.stdout.startswith(wanted):
            # If the pixels differ slightly, two answers can be on different sides of a threshold.
            near = min(abs(value) for value in distances(folder, expected[photos.index(photo)]))
            if apart < 0.05 or near < 0.2:
                unclear += 1
            else:
                others.append(f"{photo.name}: {found.stdout.strip()}, expected {wanted}")
    check(not others, f"recognize.py: {len(others)} of {len(photos)} clear answers differ from "
                      f"Cupola's {others}; {unclear} unclear ones differ")


def distances(folder, row):
    """Return the distances of an answer from both thresholds."""
    decision = json.loads((folder / "export.json").read_text())["notes"]["decision"]
    best = max(row[1:])
    odds = np.log(max(best, 1e-300) / max(row[0], 1e-300))
    share = best / max(1 - row[0], 1e-300)
    return odds - decision["least_odds"], (share - decision["least_share"]) * 4


def check_exports(model, scratch):
    folders, models = {}, {}
    for weights in WEIGHTS:
        folders[weights] = scratch / weights
        took = shared.exported(model, "onnx", weights, folders[weights])
        models[weights] = shared.rounded(model, weights, scratch / f"{weights}-model")
        size = (folders[weights] / "campus.onnx").stat().st_size
        check(took < 2, f"{weights}: exported in {took:.2f} s")
        shared.compare_size("onnx", weights, size, models[weights], folders[weights])
        again = scratch / "again"
        shared.exported(model, "onnx", weights, again)
        files = sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
        same = all((again / f).read_bytes() == (folders[weights] / f).read_bytes() for f in files)
        check(same, f"{weights}: identical in two exports")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            onnx.checker.check_model(onnx.load(folders[weights] / "campus.onnx"), full_check=True)
        check(not caught, f"{weights}: onnx.checker, full check: {len(caught)} warnings")
        check(cupola("verify", folders[weights], model, accept=(0, 65)).returncode == 0, f"{weights}: verify")
    return folders, models


def check_time(model, runtime, squares, pixels):
    """Time both programs alternately and use the fastest run for each square, which is least affected by other load."""
    squares, pixels = squares[:30], pixels[:30]
    own, theirs = [], []
    for _ in range(5):
        own.append(recognized(model, squares, runtime.labels)[1])
        theirs.append([runtime.milliseconds(square) for square in pixels])
    own, theirs = (statistics.median(np.min(times, axis=0)) for times in (own, theirs))
    check(theirs <= 2 * own, f"one thread: ONNX Runtime {theirs:.2f} ms, Cupola {own:.2f} ms: {theirs / own:.2f} times")


def main():
    model, photos = shared.arguments(__doc__)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        folders, models = check_exports(model, scratch)
        runtimes = {w: Session(folders[w] / "campus.onnx") for w in WEIGHTS}
        full = runtimes["float32"]
        (scratch / "squares").mkdir()
        squares, pixels = shared.squares(photos, full.side, scratch / "squares")
        answers = {w: np.array([runtimes[w].answer(p) for p in pixels]) for w in WEIGHTS}
        for weights in WEIGHTS:
            compare(weights, answers[weights], recognized(models[weights], squares, full.labels)[0], 1e-4)
        for weights in WEIGHTS[1:]:
            shared.compare_weights(weights, answers[weights], answers["float32"])
        from_files, _ = recognized(model, photos, full.labels)
        for way, (reader, demanded) in READERS.items():
            shared.compare_files(way, [full.answer(reader(p, full.side)) for p in photos], from_files, demanded)
        check_time(model, full, squares, pixels)
        step = max(1, len(photos) // 10)
        check_guide(model, folders["float32"], photos[::step][:10], from_files[::step][:10])
        check_damages(model, folders["float32"], scratch)
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
