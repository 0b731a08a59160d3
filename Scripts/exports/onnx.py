#!/usr/bin/env python3
"""Runs ONNX exports of a model in ONNX Runtime and compares them with `cupola classify`.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install -r Scripts/exports/requirements-onnx.txt
    swift build -c release && /tmp/venv/bin/python Scripts/exports/onnx.py MODEL PHOTOS [COUNT]

Takes COUNT (200) photos of the folder PHOTOS, evenly by name. For the same pixels each is turned upright and made the
model's square by Pillow and stored as a JPEG without subsampling, which Cupola and Pillow decode to the same pixels. The
exit code is 1 when

- onnx.checker's full check complains, or two exports of one model differ, or one takes 2 s or more;
- with float32 weights a probability differs by more than 1e-4, or a label whose best two differ by more than 1e-3;
- with float16 or int8 weights more than 0.5 % of the labels are others than with float32;
- from the photo files, decoded and resized by Pillow (bilinear, which averages) and by OpenCV (area), fewer than 99 %
  of the labels are Cupola's;
- the Python code of the export's README.md answers otherwise than Cupola, or, where there is a node, its JavaScript does;
  browser and ONNX Runtime are stubs there that hand over pixels and probabilities;
- `cupola verify` refuses an export, or accepts one of nine damages;
- one run takes more than twice Cupola's time from the square to the answer, both on one thread.
"""
import sys

sys.path.pop(0)  # this file is called like a package it needs

import json  # noqa: E402
import os  # noqa: E402
import shutil  # noqa: E402
import statistics  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from pathlib import Path  # noqa: E402

import cv2  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402
from PIL import Image, ImageOps  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CUPOLA = os.environ.get("CUPOLA", str(ROOT / ".build/release/cupola"))
WEIGHTS = ("float32", "float16", "int8")
faults = []


def check(holds, what):
    print(("ok:    " if holds else "FAULT: ") + what, flush=True)
    if not holds:
        faults.append(what)


def cupola(*arguments, accept=(0,)):
    result = subprocess.run([CUPOLA, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode not in accept:
        sys.exit(f"cupola {' '.join(map(str, arguments))}: exit {result.returncode}\n{result.stderr}")
    return result


# MARK: Pictures

def chosen(folder, count):
    photos = sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() in (".jpg", ".jpeg"))
    step = max(1, len(photos) / count)
    return [photos[int(i * step)] for i in range(min(count, len(photos)))]


def by_pillow(photo, side):
    picture = ImageOps.exif_transpose(Image.open(photo)).convert("RGB")
    return np.asarray(picture.resize((side, side), Image.Resampling.BILINEAR))


def by_opencv(photo, side):
    picture = cv2.imread(str(photo), cv2.IMREAD_COLOR)  # turns by EXIF itself
    return cv2.cvtColor(cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2RGB)


# MARK: Runtimes

class Runtime:
    """ONNX Runtime on one thread."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 2  # warnings are shown
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.notes = self.session.get_modelmeta().custom_metadata_map
        self.labels = json.loads(self.notes["labels"])
        (image,), outputs = self.session.get_inputs(), self.session.get_outputs()
        self.side = image.shape[1]
        assert (image.name, image.type, image.shape) == ("image", "tensor(uint8)", [1, self.side, self.side, 3])
        assert [(o.name, o.type) for o in outputs] == [("label", "tensor(string)"), ("probabilities", "tensor(float)")]

    def answer(self, pixels):
        label, probabilities = self.session.run(None, {"image": pixels[None]})
        assert label[0] == self.labels[int(np.argmax(probabilities[0]))]
        return probabilities[0].astype(float)

    def milliseconds(self, pixels, runs=5):
        times = []
        for _ in range(runs):
            start = time.perf_counter()
            self.session.run(None, {"image": pixels[None]})
            times.append(1e3 * (time.perf_counter() - start))
        return min(times)


def recognised(model, photos, labels):
    """Cupola's probabilities in the order of the labels, and its milliseconds from the square to the answer."""
    lines = cupola("classify", model, *photos, "--jsonl", "--no-place", "--threads", 1, "--top", len(labels), "--quiet")
    answers, times = [], []
    for line in lines.stdout.splitlines():
        answer = json.loads(line)
        shares = {c["label"]: c["image_probability"] for c in answer["candidates"]}
        buildings = [shares[label] for label in labels[1:]]
        answers.append([max(0.0, 1 - sum(buildings))] + buildings)
        times.append(answer["timing_ms"]["features"] + answer["timing_ms"]["classify"])
    return np.array(answers), times


# MARK: Checks

def compare(name, found, expected, limit):
    difference = float(np.abs(found - expected).max())
    check(difference <= limit, f"{name}: largest difference of a probability {difference:.1e} (limit {limit:.0e})")
    best_two = np.sort(expected, axis=1)[:, -2:] if expected.shape[1] > 1 else np.c_[0 * expected, expected]
    clear = best_two[:, 1] - best_two[:, 0] > 1e-3
    others = int(((found.argmax(1) != expected.argmax(1)) & clear).sum())
    check(others == 0, f"{name}: {others} other labels among {int(clear.sum())} clear ones of {len(found)}")


def damages(path):
    """Nine ways to damage a file, each as bytes."""
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
    """The manifest is made to agree with each damage, so that only the model itself can tell."""
    import hashlib
    for name, data in damages(folder / "campus.onnx"):
        copy = scratch / f"damaged-{name}".replace(" ", "-")
        shutil.copytree(folder, copy)
        (copy / "campus.onnx").write_bytes(data)
        manifest = json.loads((copy / "export.json").read_text())
        manifest["files"]["campus.onnx"] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        (copy / "export.json").write_text(json.dumps(manifest))
        result = cupola("verify", copy, model, accept=(0, 65))
        check(result.returncode == 65, f"verify, {name}: {(result.stderr.splitlines() or ['accepted'])[0].split(': ', 2)[-1]}")


def check_guide(model, folder, photos):
    """Runs the code of README.md as it stands there."""
    code = (folder / "README.md").read_text().split("```python\n")[1].split("```")[0]
    (folder / "guide.py").write_text(code)
    verdicts = {"building": None, "unsure": "Unsure", "not_a_campus_building": "Not a Campus Building"}
    answers = cupola("classify", model, *photos, "--jsonl", "--no-place", "--quiet", "--threads", 1).stdout.splitlines()
    same = 0
    for photo, line in zip(photos, answers):
        found = subprocess.run([sys.executable, "guide.py", photo.resolve()], cwd=folder, stdout=subprocess.PIPE, text=True)
        answer = json.loads(line)
        expected = verdicts[answer["verdict"]] or answer["label"]
        same += found.stdout.startswith(expected)
    (folder / "guide.py").unlink()
    check(same >= len(photos) - 1, f"README.md, Python: {same} of {len(photos)} answers are Cupola's (the photos' pixels differ a little)")


STUBS = """
import { readFileSync } from "node:fs";
import * as ort from "onnxruntime-web";
const given = JSON.parse(readFileSync("given.json"));
globalThis.fetch = async (path) => ({ ok: path.endsWith(".json"), json: async () => JSON.parse(readFileSync(path)) });
globalThis.createImageBitmap = async (photo, { imageOrientation }) =>
  ({ width: 3, height: 2, photo, upright: imageOrientation === "from-image" });
globalThis.OffscreenCanvas = class {
  getContext() { return this; }
  drawImage(picture) { this.picture = picture; }
  getImageData(x, y, w, h) {
    if (!this.picture.upright) throw Error("not upright");
    const data = new Uint8ClampedArray(w * h * 4);
    for (let i = 0; i < w * h; i++) for (let c = 0; c < 3; c++) data[4 * i + c] = (i + c + this.picture.photo) % 251;
    return { data };
  }
};
ort.stub.run = ({ image }) => {
  if (image.dims.join() !== [1, given.side, given.side, 3].join()) throw Error("shape");
  if (image.data.some((v, i) => v !== (Math.floor(i / 3) + (i % 3) + ort.stub.photo) % 251)) throw Error("pixels");
  return { probabilities: { data: Float32Array.from(given.probabilities[ort.stub.photo]) } };
};
const { CampusRecognizer } = await import("./guide.mjs");
const recognizer = await CampusRecognizer.load(".");
const answers = [];
for (ort.stub.photo = 0; ort.stub.photo < given.probabilities.length; ort.stub.photo++)
  answers.push(await recognizer.answer(ort.stub.photo));
recognizer.fence = [[[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[1, 1], [2, 1], [2, 2], [1, 2], [1, 1]]]];
for (const place of [{ longitude: 5, latitude: 1 }, { longitude: 1.5, latitude: 1.5 }])
  answers.push(await recognizer.answer(0, place));
console.log(JSON.stringify(answers));
"""
ORT_STUB = """
export const stub = {};
export class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
export const InferenceSession = { create: async () => ({ run: async (inputs) => stub.run(inputs) }) };
"""


def check_javascript(model, folder, squares, found, side):
    """Runs the JavaScript of README.md with stubs of what a browser brings."""
    if not shutil.which("node"):
        print("       README.md, JavaScript: no node, not run")
        return
    copy = folder.parent / "javascript"
    package = copy / "node_modules/onnxruntime-web"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"type": "module", "main": "index.js"}')
    (package / "index.js").write_text(ORT_STUB)
    code = (folder / "README.md").read_text().split("```javascript\n")[1].split("```")[0]
    (copy / "guide.mjs").write_text(code)
    (copy / "main.mjs").write_text(STUBS)
    shutil.copy(folder / "export.json", copy)
    (copy / "given.json").write_text(json.dumps({"side": side, "probabilities": found.tolist()}))
    result = subprocess.run(["node", "main.mjs"], cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        return check(False, f"README.md, JavaScript: {result.stderr.strip().splitlines()[:5]}")
    answers = json.loads(result.stdout)
    lines = cupola("classify", model, *squares, "--jsonl", "--no-place", "--quiet", "--threads", 1).stdout.splitlines()
    expected = [(a["verdict"], a.get("label")) for a in map(json.loads, lines)]
    same = sum((a["verdict"], a.get("label")) == e for a, e in zip(answers, expected))
    check(same == len(expected), f"README.md, JavaScript: {same} of {len(expected)} answers are Cupola's")
    check([a["verdict"] for a in answers[-2:]] == ["not_on_campus"] * 2, "README.md, JavaScript: outside, and in a hole")


def check_exports(model, scratch):
    folders = {}
    for weights in WEIGHTS:
        folders[weights] = scratch / weights
        start = time.perf_counter()
        cupola("export", model, "--format", "onnx", "--weights", weights, "-o", folders[weights])
        took = time.perf_counter() - start
        size = (folders[weights] / "campus.onnx").stat().st_size
        check(took < 2, f"{weights}: {size} bytes, exported in {took:.2f} s")
        again = scratch / "again"
        cupola("export", model, "--format", "onnx", "--weights", weights, "-o", again)
        files = sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
        same = all((again / f).read_bytes() == (folders[weights] / f).read_bytes() for f in files)
        check(same, f"{weights}: the same bytes twice")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            onnx.checker.check_model(onnx.load(folders[weights] / "campus.onnx"), full_check=True)
        check(not caught, f"{weights}: onnx.checker, full check: {len(caught)} warnings")
        stored = onnx.load(folders[weights] / "campus.onnx")
        largest = sum(len(t.raw_data) for t in stored.graph.initializer if len(t.raw_data) > 4096)
        print(f"       {weights}: {100 * (size / largest - 1):.1f} % more than the weights' {largest} bytes")
        check(cupola("verify", folders[weights], model, accept=(0, 65)).returncode == 0, f"{weights}: verify")
    return folders


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    model, photos = sys.argv[1], chosen(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 200)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        folders = check_exports(model, scratch)
        runtimes = {w: Runtime(folders[w] / "campus.onnx") for w in WEIGHTS}
        full = runtimes["float32"]
        squares, pixels = [], []
        for index, photo in enumerate(photos):
            path = scratch / f"{index:04}.jpg"
            Image.fromarray(by_pillow(photo, full.side)).save(path, quality=95, subsampling=0)
            squares.append(path)
            pixels.append(np.asarray(Image.open(path).convert("RGB")))
        expected, times = recognised(model, squares, full.labels)
        answers = {w: np.array([runtimes[w].answer(p) for p in pixels]) for w in WEIGHTS}
        compare("float32", answers["float32"], expected, 1e-4)
        for weights in WEIGHTS[1:]:
            others = (answers[weights].argmax(1) != answers["float32"].argmax(1)).mean()
            check(others <= 0.005, f"{weights}: {others:.2%} other labels than float32 (limit 0.5 %)")
        from_files, _ = recognised(model, photos, full.labels)
        for reader in (by_pillow, by_opencv):
            found = np.array([full.answer(reader(p, full.side)) for p in photos])
            same = (found.argmax(1) == from_files.argmax(1)).mean()
            check(same >= 0.99, f"{reader.__name__}, from the photo files: {same:.1%} the same label (limit 99 %)")
        # The fastest of some runs each, so that other work on the machine counts for neither.
        own = statistics.median(min(times[i:i + 5]) for i in range(0, len(times), 5))
        theirs = statistics.median(full.milliseconds(p) for p in pixels[::5])
        check(theirs <= 2 * own, f"one thread: ONNX Runtime {theirs:.1f} ms, Cupola {own:.1f} ms: {theirs / own:.2f} times")
        check_javascript(model, folders["float32"], squares, answers["float32"], full.side)
        check_guide(model, folders["float32"], photos[::max(1, len(photos) // 10)][:10])
        check_damages(model, folders["float32"], scratch)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
