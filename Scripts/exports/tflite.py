"""Runs TFLite exports of a model in LiteRT and in MediaPipe Tasks and compares them with `cupola classify`.

Selects COUNT (default: 200) photos from the folder PHOTOS, evenly by name. For the same pixels, compares LiteRT using XNNPACK, LiteRT using
its reference kernels (40 photos, because they are slow), and MediaPipe's ImageClassifier, which gets only the model file. For photo files,
compares MediaPipe using its own decoder and resampler, and using the code in the export's README. The result for MediaPipe's own resampler
is only printed, because it skips pixels. The exit code is 1 if

- a probability for the same pixels differs by more than 5e-4 with any type of weights,
- an answer differs although its two highest probabilities are more than 1e-3 apart,
- with float16 or int8 weights, more than 0.5% of the labels differ from float32,
- labels or their order differ between runtimes, labels.txt and cupola.json,
- fewer than 99% of the labels are equal for photo files that are resized with the code in the README,
- a rotated photo, given with its rotation, gets a different answer than the upright photo,
- an export takes 2 s or more, is more than 5% or 30 kB (whichever is more) larger than weights, labels, thresholds and map,
  or `cupola verify` rejects it,
- MediaPipe accepts a damaged file.
"""
import json
import os
import sys
import tempfile
import time
import zipfile
from pathlib import Path

os.environ.setdefault("GLOG_minloglevel", "3")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
from PIL import Image, ImageOps
from ai_edge_litert.interpreter import Interpreter, OpResolverType
import mediapipe as mp
from mediapipe.tasks.python import vision
from mediapipe.tasks.python.core.base_options import BaseOptions
from mediapipe.tasks.python.vision.core.image_processing_options import ImageProcessingOptions

from exports import photos as shared
from exports.photos import NONE, check, cupola, note, recognized

WEIGHTS = ("float32", "float16", "int8")
LIMIT = 5e-4


# MARK: Runtimes, which return probabilities in label order

class LiteRT:
    """The LiteRT interpreter, running on one thread."""

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
    """MediaPipe's ImageClassifier, used as in an app: without label files, sizes or scaling."""

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


# MARK: Comparisons

def labels_of(path):
    """Return the labels in the file, after checking that both lists of labels in it are equal."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        lines = archive.read("labels.txt").decode().split("\n")
        properties = json.loads(archive.read("cupola.json"))
    assert lines[-1] == "" and lines[:-1] == properties["labels"], "labels.txt and cupola.json differ"
    assert lines[0] == NONE, f"unexpected first label {lines[0]}"
    return lines[:-1]


def answers(runtime, pixels):
    rows, times = [], []
    for square in pixels:
        start = time.perf_counter()
        rows.append(runtime.probabilities(square))
        times.append(time.perf_counter() - start)
    note(f"{runtime.name}: {np.median(times) * 1000:.1f} ms")
    return np.array(rows)


def spread(length, side):
    """Return the weights for averaging `length` pixels to `side` outputs, computed like the Kotlin code in the README."""
    first = np.maximum(np.arange(length)[None] * side, np.arange(side)[:, None] * length)
    last = np.minimum((np.arange(length)[None] + 1) * side, (np.arange(side)[:, None] + 1) * length)
    return np.maximum(last - first, 0) / length


def guided(photo, side):
    """Prepare a photo like the app code in the README: decode at a reduced size, rotate upright, average to a square."""
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
    """Decode a photo with MediaPipe; return it with the rotation to apply."""
    turn = {3: 180, 6: 90, 8: 270}.get(Image.open(photo).getexif().get(0x0112, 1), 0)
    return mp.Image.create_from_file(str(photo)), turn


def rotations(runtime, pixels):
    """Check that a rotated image, given with its clockwise rotation, gets the same answer as the upright image."""
    differences, same = [], True
    for square in pixels[:20]:
        upright = runtime.probabilities(square)
        for turn in (1, 2, 3):
            found = runtime.probabilities(np.rot90(square, turn), 90 * turn)
            differences.append(np.abs(found - upright).max())
            same = same and (found.argmax() == upright.argmax() or differences[-1] < 0.05)
    # MediaPipe interpolates between pixels to rotate an image.
    check(same and np.mean(differences) < 0.1,
          f"{runtime.name} with rotations: probabilities differ by {np.mean(differences):.4f} on average")


def controls(model, size, pixels, labels):
    """Check that MediaPipe rejects damaged files or returns answers without labels."""
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
    check(not missed, f"negative controls: {len(damages)} damages, missed: {', '.join(missed) or 'none'}")


def check_weights(model, weights, scratch, squares, pixels):
    """Compare the results of one type of weights for the same pixels; return the file's bytes and XNNPACK's answers."""
    folder = scratch / weights
    took = shared.exported(model, "tflite", weights, folder)
    check(took < 2, f"{weights}: exported in {took:.2f} s")
    check(cupola("verify", folder, model, accept=(0, 65)).returncode == 0, f"{weights}: verify")
    stored = shared.rounded(model, weights, scratch / f"{weights}-model")
    path = folder / "campus.tflite"
    shared.compare_size("tflite", weights, path.stat().st_size, stored, folder)
    labels, data = labels_of(path), path.read_bytes()
    expected, _ = recognized(stored, squares, labels)
    fast = answers(LiteRT(data, "LiteRT with XNNPACK", OpResolverType.AUTO), pixels)
    shared.compare(f"{weights}, LiteRT with XNNPACK", fast, expected, LIMIT)
    plain = answers(LiteRT(data, "LiteRT reference kernels", OpResolverType.BUILTIN_REF), pixels[:40])
    shared.compare(f"{weights}, LiteRT reference kernels", plain, expected[:40], LIMIT)
    runtime = MediaPipe(data)
    shared.compare(f"{weights}, MediaPipe", answers(runtime, pixels), expected, LIMIT)
    check(runtime.labels == labels, f"{weights}, MediaPipe: {len(runtime.labels)} labels in the model's order")
    runtime.classifier.close()
    return data, fast


def check_files(model, photos, runtime, labels, side):
    expected, _ = recognized(model, photos, labels)
    for name, load, demanded in (("its own scaling", own_way, False),
                                 ("scaled as in the guide", lambda photo: (guided(photo, side),), True)):
        found = [runtime.answer(*load(photo)) for photo in photos]
        shared.compare_files(f"{runtime.name}, {name}", found, expected, demanded)


def main():
    model, photos = shared.arguments(__doc__)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        shared.exported(model, "tflite", "float32", scratch / "float32")
        path = scratch / "float32/campus.tflite"
        labels = labels_of(path)
        side = LiteRT(path.read_bytes(), "LiteRT", OpResolverType.AUTO).side
        (scratch / "squares").mkdir()
        squares, pixels = shared.squares(photos, side, scratch / "squares")
        found = {weights: check_weights(model, weights, scratch, squares, pixels) for weights in WEIGHTS}
        for weights in WEIGHTS[1:]:
            shared.compare_weights(weights, found[weights][1], found["float32"][1])
        data = found["float32"][0]
        with zipfile.ZipFile(path) as archive:
            size = min(entry.header_offset for entry in archive.infolist())
        runtime = MediaPipe(data)
        rotations(runtime, pixels)
        check_files(model, photos, runtime, labels, side)
        runtime.classifier.close()
        controls(data, size, pixels[0], labels)
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
