#!/usr/bin/env python3
"""Runs an exported TFLite model in LiteRT and in MediaPipe Tasks and compares it with `cupola classify`.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install -r Scripts/exports/requirements-tflite.txt
    swift build -c release
    /tmp/venv/bin/python Scripts/exports/tflite.py MODEL.safetensors campus.tflite PHOTOS... [--count 200]

From the same pixels (photos turned upright and squashed to the model's size by Pillow): LiteRT with XNNPACK and with its
reference kernels, and MediaPipe's ImageClassifier, which has nothing but the file. From the photo files: MediaPipe with
its own decoder and resampler, which is only told because it skips pixels, and as the guide in the export's README does
it. The exit code is 1 if

- the largest difference of a probability from the same pixels is more than --limit (5e-4),
- a label differs whose top two differ by more than 1e-3,
- labels, or their order, differ between runtimes, labels.txt and cupola.json,
- from the photo files, scaled as in the guide, fewer than 99 % of the labels are the same,
- a photo that lies on its side, with the rotation told, is answered otherwise than upright, or
- MediaPipe takes a damaged file.
"""
import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

os.environ.setdefault("GLOG_minloglevel", "3")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np  # noqa: E402
from PIL import Image, ImageOps  # noqa: E402
from ai_edge_litert.interpreter import Interpreter, OpResolverType  # noqa: E402
import mediapipe as mp  # noqa: E402
from mediapipe.tasks.python import vision  # noqa: E402
from mediapipe.tasks.python.core.base_options import BaseOptions  # noqa: E402
from mediapipe.tasks.python.vision.core.image_processing_options import ImageProcessingOptions  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CUPOLA = os.environ.get("CUPOLA", str(ROOT / ".build/release/cupola"))
NONE = "not_a_campus_building"


# MARK: Runtimes: each gives probabilities in the order of the labels

class LiteRT:
    """The interpreter on one thread."""

    def __init__(self, model, name, resolver):
        self.name = name
        self.interpreter = Interpreter(model_content=model, num_threads=1, experimental_op_resolver_type=resolver)
        self.interpreter.allocate_tensors()
        (self.input,), (self.output,) = self.interpreter.get_input_details(), self.interpreter.get_output_details()
        self.side = int(self.input["shape"][1])
        assert self.input["name"] == "image" and self.input["dtype"] == np.uint8, "input"
        assert list(self.input["shape"]) == [1, self.side, self.side, 3], "input shape"
        assert self.output["name"] == "probabilities" and self.output["dtype"] == np.float32, "output"

    def probabilities(self, pixels):
        self.interpreter.set_tensor(self.input["index"], pixels[None])
        self.interpreter.invoke()
        return self.interpreter.get_tensor(self.output["index"])[0].astype(float)


class MediaPipe:
    """ImageClassifier as an app uses it: no file of labels, no sizes, no scaling."""

    name = "MediaPipe"

    def __init__(self, model):
        options = vision.ImageClassifierOptions(base_options=BaseOptions(model_asset_buffer=model))
        self.classifier = vision.ImageClassifier.create_from_options(options)
        self.labels = None

    def probabilities(self, pixels, rotation=0):
        image = mp.Image(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(pixels))
        return self.answer(image, rotation)

    def answer(self, image, rotation=0):
        options = ImageProcessingOptions(rotation_degrees=rotation) if rotation else None
        (head,) = self.classifier.classify(image, options).classifications
        categories = sorted(head.categories, key=lambda category: category.index)
        self.labels = [category.category_name for category in categories]
        return np.array([category.score for category in categories], float)


# MARK: Photos and what Cupola says of them

def photos_in(paths, count):
    found = []
    for path in map(Path, paths):
        every = sorted(path.rglob("*.jp*g")) if path.is_dir() else [path]
        found += every[::max(1, len(every) // count)][:count]
    return found


def squares(photos, side, folder):
    """Photos as JPEG files of exactly the model's size, so that Cupola has nothing to resize, and their pixels."""
    pixels = []
    for index, photo in enumerate(photos):
        image = ImageOps.exif_transpose(Image.open(photo)).convert("RGB")
        data = io.BytesIO()
        image.resize((side, side), Image.Resampling.BILINEAR).save(data, "JPEG", quality=100, subsampling=0)
        (folder / f"{index:05}.jpg").write_bytes(data.getvalue())
        pixels.append(np.asarray(Image.open(data).convert("RGB")))
    return pixels


def recognised(model, paths, labels):
    """Probabilities as the Swift recogniser gives them, by path; None for photos that it cannot read."""
    run = subprocess.run([CUPOLA, "classify", str(model), *map(str, paths), "--jsonl", "--no-place", "--top", "100000",
                          "-q"], capture_output=True, text=True)
    answers = {}
    for line in run.stdout.splitlines():
        answer = json.loads(line)
        known = {c["label"]: c["image_probability"] for c in answer.get("candidates") or []}
        if known:
            assert set(known) == set(labels[1:]), f"labels {sorted(known)}"
            answers[answer["photo"]] = np.array([1 - sum(known.values())] + [known[label] for label in labels[1:]])
    if not answers:
        sys.exit(f"error: cupola classify: {run.stderr.strip()}")
    return answers


# MARK: Comparisons

def labels_of(path):
    """The labels in the file, which both lists in it must agree on."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        lines = archive.read("labels.txt").decode().split("\n")
        properties = json.loads(archive.read("cupola.json"))
    assert lines[-1] == "" and lines[:-1] == properties["labels"], "labels.txt and cupola.json differ"
    assert lines[0] == NONE, f"the first label is {lines[0]}"
    return lines[:-1]


def compare(runtime, pixels, expected, limit):
    worst, same, clear, wrong, times = 0.0, 0, 0, 0, []
    for square, answer in zip(pixels, expected):
        start = time.perf_counter()
        found = runtime.probabilities(square)
        times.append(time.perf_counter() - start)
        difference = np.abs(found - answer).max()
        worst = max(worst, difference) if np.isfinite(difference) else float("inf")
        second, first = np.sort(answer)[-2:]
        agree = found.argmax() == answer.argmax()
        same += agree
        clear += first - second > 1e-3
        wrong += not agree and first - second > 1e-3
    print(f"{runtime.name}: largest probability difference {worst:.2e} (limit {limit:g}), same label {same} of "
          f"{len(pixels)}, {wrong} others among {clear} clear ones; {np.median(times) * 1000:.1f} ms")
    return worst <= limit and wrong == 0


def spread(length, side):
    """Shares of `length` pixels in `side` places, as the guide's Kotlin has them."""
    first = np.maximum(np.arange(length)[None] * side, np.arange(side)[:, None] * length)
    last = np.minimum((np.arange(length)[None] + 1) * side, (np.arange(side)[:, None] + 1) * length)
    return np.maximum(last - first, 0) / length


def guided(photo, side):
    """A photo as the app of the guide hands it over: decoded at a power of two, upright, area-averaged to a square."""
    image = Image.open(photo)
    sample = 1
    while min(image.size) // (2 * sample) >= side:
        sample *= 2
    image.draft("RGB", (image.width // sample, image.height // sample))
    pixels = np.asarray(ImageOps.exif_transpose(image).convert("RGB"), float)
    rows = np.einsum("oy,yxc->oxc", spread(pixels.shape[0], side), pixels)
    square = np.einsum("px,oxc->opc", spread(pixels.shape[1], side), rows)
    return mp.Image(image_format=mp.ImageFormat.SRGB, data=(square + 0.5).astype(np.uint8))


def own_way(photo):
    """A photo as MediaPipe decodes it, and how far it has to turn it."""
    turn = {3: 180, 6: 90, 8: 270}.get(Image.open(photo).getexif().get(0x0112, 1), 0)
    return mp.Image.create_from_file(str(photo)), turn


def compare_files(runtime, photos, answers, name, load):
    """From the photo files; `load` gives a picture and how far MediaPipe has to turn it."""
    same, asked, difference = 0, 0, []
    for photo in photos:
        if str(photo) not in answers:
            continue
        found = runtime.answer(*load(photo))
        answer = answers[str(photo)]
        asked += 1
        same += found.argmax() == answer.argmax()
        difference.append(np.abs(found - answer).max())
    share = same / max(1, asked)
    print(f"{runtime.name} from photo files, {name}: same label {same} of {asked} ({share:.1%}), probabilities differ "
          f"by {np.mean(difference):.4f} on average")
    return share >= 0.99


def rotations(runtime, pixels):
    """A picture on its side with its rotation told, clockwise, is the upright picture."""
    differences, same = [], True
    for square in pixels[:20]:
        upright = runtime.probabilities(square)
        for turn in (1, 2, 3):
            found = runtime.probabilities(np.rot90(square, turn), 90 * turn)
            differences.append(np.abs(found - upright).max())
            same = same and (found.argmax() == upright.argmax() or differences[-1] < 0.05)
    print(f"{runtime.name} with rotations told: probabilities differ by {np.mean(differences):.4f} on average")
    return same and np.mean(differences) < 0.1  # it samples between the pixels when it turns


def controls(model, size, pixels, labels):
    """Damages that MediaPipe must refuse, or answer without labels."""
    damages = {
        "identifier": model[:4] + b"TFL2" + model[8:],
        "cut": model[:size // 2],
        "root": b"\xff\xff\xff\x7f" + model[4:],
        "no labels": model[:size],
        "metadata": model.replace(b"TFLITE_METADATA", b"TFLITE_METADATE"),
    }
    missed = []
    for name, damaged in damages.items():
        try:
            runtime = MediaPipe(damaged)
            runtime.probabilities(pixels)
            runtime.classifier.close()
            if runtime.labels == labels:
                missed.append(name)
        except (ValueError, RuntimeError, OSError):
            pass
    print(f"negative controls: {len(damages)} damages, missed: {', '.join(missed) or 'none'}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("export")
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--count", type=int, default=200, help="photos from each folder, evenly spaced")
    parser.add_argument("--limit", type=float, default=5e-4)
    arguments = parser.parse_args()
    data = Path(arguments.export).read_bytes()
    labels = labels_of(arguments.export)
    with zipfile.ZipFile(arguments.export) as archive:
        size = min(entry.header_offset for entry in archive.infolist())
    runtimes = [LiteRT(data, "LiteRT with XNNPACK", OpResolverType.AUTO),
                LiteRT(data, "LiteRT reference kernels", OpResolverType.BUILTIN_REF), MediaPipe(data)]
    photos = photos_in(arguments.photos, arguments.count)
    print(f"{arguments.export}: {len(data)} bytes, {len(labels)} labels, {len(photos)} photos")
    with tempfile.TemporaryDirectory() as name:
        pixels = squares(photos, runtimes[0].side, Path(name))
        answers = recognised(arguments.model, [name], labels)
        expected = [answers[f"{name}/{index:05}.jpg"] for index in range(len(photos))]
    sound = [compare(runtime, pixels, expected, arguments.limit) for runtime in runtimes]
    sound.append(runtimes[2].labels == labels)
    if not sound[-1]:
        print(f"MediaPipe's labels are {runtimes[2].labels}")
    sound.append(rotations(runtimes[2], pixels))
    answers = recognised(arguments.model, photos, labels)
    side = runtimes[0].side
    compare_files(runtimes[2], photos, answers, "its own scaling", own_way)
    sound.append(compare_files(runtimes[2], photos, answers, "scaled as in the guide", lambda p: (guided(p, side),)))
    sound.append(not controls(data, size, pixels[0], labels))
    runtimes[2].classifier.close()
    return 0 if all(sound) else 1


sys.exit(main())
