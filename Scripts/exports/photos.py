"""Functions that the checks of all export formats share: photos, squares, and Cupola's answers."""
import io
import json
import resource
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from support import common

NONE, UNKNOWN = "not_a_campus_building", "unknown_building"
faults = []


def check(holds, what):
    print(("ok:    " if holds else "FAULT: ") + what, flush=True)
    if not holds:
        faults.append(what)
    return holds


def note(what):
    print("       " + what, flush=True)


def arguments(usage):
    """Return the model and photos from the arguments, or exit with the usage."""
    if len(sys.argv) < 3:
        sys.exit(usage)
    return sys.argv[1], photos_in(sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 200)


def cupola(*arguments, accept=(0,)):
    return common.completed(common.CUPOLA, *arguments, accept=accept)


def exported(model, form, weights, folder):
    """Export a model; return the CPU seconds it took on one processor."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = spent()
    cupola("export", model, "--format", form, "--weights", weights, "-o", folder)
    return spent() - before


def rounded(model, weights, folder):
    """Return the model file with its weights stored in a given precision; it is the reference for exports."""
    exported(model, "safetensors", weights, folder)
    return folder / "campus.safetensors"


# MARK: Photos

def photos_in(folder, count):
    photos = sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() in (".jpg", ".jpeg"))
    return [photos[i * len(photos) // count] for i in range(count)] if count < len(photos) else photos


def upright(photo):
    return ImageOps.exif_transpose(Image.open(photo)).convert("RGB")


def squares(photos, side, folder):
    """Return photos as JPEG files of exactly the model's size, without subsampling, and their pixels.

    Cupola and Pillow decode such files to the same pixels, and no resizing is needed.
    """
    paths, pixels = [], []
    for index, photo in enumerate(photos):
        data = io.BytesIO()
        resized = upright(photo).resize((side, side), Image.Resampling.BICUBIC)
        resized.save(data, "JPEG", quality=95, subsampling=0)
        paths.append(Path(folder) / f"{index:05}.jpg")
        paths[-1].write_bytes(data.getvalue())
        pixels.append(np.asarray(Image.open(data).convert("RGB")))
    return paths, pixels


# MARK: Cupola's answers

def recognized(model, photos, labels):
    """Return rows of probabilities in label order, and the milliseconds from square to answer on one thread.

    Cupola reports only buildings: the first probability combines non-building photos and unknown buildings.
    """
    labels = [label for label in labels if label != UNKNOWN]
    lines = cupola("classify", model, *photos, "--jsonl", "--no-place", "--threads", 1, "--top", max(2, len(labels)),
                   "--quiet").stdout.splitlines()
    answers = {answer["photo"]: answer for answer in map(json.loads, lines)}
    rows, times = [], []
    for photo in map(str, photos):
        answer = answers.get(photo)
        if answer is None or "candidates" not in answer:
            sys.exit(f"cupola classify: no answer for {photo}")
        shares = {c["label"]: c["image_probability"] for c in answer["candidates"]}
        if set(shares) != set(labels[1:]):
            sys.exit(f"cupola classify: labels are {sorted(shares)}, expected {sorted(labels[1:])}")
        buildings = [shares[label] for label in labels[1:]]
        rows.append([max(0.0, 1 - sum(buildings))] + buildings)
        times.append(answer["timing_ms"]["features"] + answer["timing_ms"]["classify"])
    return np.array(rows), times


def merged(rows, expected):
    """Convert an export's rows to the format of `recognized`, which omits the last label, the unknown building."""
    rows = np.asarray(rows)
    if rows.shape[1] == expected.shape[1]:
        return rows
    return rows[:, :-1] / (1 - rows[:, -1:])


def margins(rows):
    """Return the difference between the two largest probabilities."""
    best = np.sort(rows, axis=1)
    return best[:, -1] - best[:, -2] if rows.shape[1] > 1 else best[:, -1]


def compare(name, found, expected, limit):
    """Compare answers for the same pixels: probabilities within the limit, and equal labels where they are clear."""
    expected = np.asarray(expected)
    found = merged(found, expected)
    difference = float(np.abs(found - expected).max())
    check(difference <= limit, f"{name}: largest probability difference {difference:.1e} (limit {limit:.0e})")
    clear = margins(expected) > max(1e-3, limit)
    others = int(((found.argmax(1) != expected.argmax(1)) & clear).sum())
    check(others == 0, f"{name}: {others} different labels among {int(clear.sum())} clear ones of {len(found)}")


def compare_weights(name, found, expected):
    """Check that reduced precision changes at most 0.5% of the labels."""
    others = int((np.asarray(found).argmax(1) != np.asarray(expected).argmax(1)).sum())
    check(others <= 0.005 * len(found), f"{name}: {others} of {len(found)} labels differ from float32 (limit 0.5%)")


def compare_files(name, found, expected, demanded=True):
    """Check that at least 99% of the labels for photo files are equal."""
    expected = np.asarray(expected)
    found = merged(found, expected)
    agree = found.argmax(1) == expected.argmax(1)
    changes = np.abs(found - expected).max(1)
    apart = ", ".join(f"{m:.2f}" for m in margins(expected)[~agree])
    text = (f"{name}, from the photo files: {agree.mean():.1%} equal labels, probabilities change by "
            f"{changes.mean():.4f} on average" + (f"; margins of the different ones: {apart}" if apart else ""))
    if demanded:
        check(agree.mean() >= 0.99, text + " (limit 99%)")
    else:
        note(text)


# MARK: Sizes

def tensor_bytes(model):
    """Return the bytes of the weights in a model file."""
    with open(model, "rb") as file:
        header = int.from_bytes(file.read(8), "little")
    return Path(model).stat().st_size - 8 - header


# The size of a graph's operations without weights, rounded up: 19.0, 23.6 and 46.7 kB for `--preset fast` and up to
# 27.1 and 54.9 kB for `balanced`, for any kind of weights. This exceeds 5% of models of 200 to 700 kB.
GRAPH_BYTES = {"onnx": 24_000, "tflite": 30_000, "coreml": 60_000}


def compare_size(form, name, size, model, folder):
    """Check that a file is at most 5%, or the size of the graph's operations, larger than its weights, labels, thresholds and map."""
    weights = tensor_bytes(model)
    notes = json.loads((Path(folder) / "export.json").read_text())["notes"]
    texts = sum(len(json.dumps(value, ensure_ascii=False).encode()) for value in notes.values())
    campus = Path(folder) / "campus.geojson"
    texts += campus.stat().st_size if campus.exists() else 0
    share = size / (weights + texts) - 1
    limit = max(0.05 * (weights + texts), GRAPH_BYTES[form])
    check(size - weights - texts <= limit, f"{name}: {size} bytes, {share:.1%} more than weights and metadata ({weights} + "
                                           f"{texts} bytes; limit {limit / (weights + texts):.1%}), "
                                           f"{size / weights - 1:.1%} more than the weights alone")
