#!/usr/bin/env python3
"""Compares the C export of a model with `cupola classify` on real photos.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install pillow==13.0.0
    swift build -c release && /tmp/venv/bin/python Scripts/exports/c.py MODEL PHOTOS [COUNT]

Takes COUNT (200) photos of the folder PHOTOS, evenly by name, makes each the model's square with Pillow, and stores
that as a JPEG without subsampling: Cupola and Pillow decode those to the same pixels. Exports MODEL with each kind of
weights, compiles the export with all warnings as errors and with the address and undefined behaviour sanitizers, and
asks it for all squares. The exit code is 1 when

- with float32 weights a probability differs by more than 1e-4, or a label where the best two differ by more than 1e-3;
- with float16 or int8 weights more than 0.5 % of the labels are others than with float32;
- two exports of one model differ;
- it takes more than 1.5 times as long as Cupola, both on one thread, compiled for this processor.

GCC or Clang is taken from CC (gcc).
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
CUPOLA = os.environ.get("CUPOLA", str(ROOT / ".build/release/cupola"))
CC = os.environ.get("CC", "gcc")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
SANITIZED = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
REPETITIONS = 41


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, **options).stdout


def export(model, weights, folder):
    start = time.monotonic()
    run(CUPOLA, "export", model, "--format", "c", "--weights", weights, "-o", folder)
    return time.monotonic() - start


def build(folder, name, flags):
    program = folder / name
    start = time.monotonic()
    run(CC, *flags, "-I", folder, "-o", program, ROOT / "Scripts/exports/harness.c", folder / "cupola.c", "-lm")
    return program, time.monotonic() - start


def squares(photos, side, folder):
    """Paths of JPEGs, and their pixels."""
    made = []
    for index, photo in enumerate(photos):
        path = folder / f"{index:04}.jpg"
        Image.open(photo).convert("RGB").resize((side, side), Image.LANCZOS).save(path, quality=95, subsampling=0)
        made.append((path, Image.open(path).convert("RGB").tobytes()))
    return made


def recognised(model, paths, labels):
    """For each picture the probabilities in the order of the export's labels, and the milliseconds it took."""
    lines = run(CUPOLA, "classify", model, *paths, "--jsonl", "--no-place", "--threads", 1, "--top", len(labels), "--quiet")
    rows = []
    for line in lines.splitlines():
        answer = json.loads(line)
        shares = {c["label"]: c["image_probability"] for c in answer["candidates"]}
        buildings = [shares[label] for label in labels[1:]]
        timing = answer["timing_ms"]
        rows.append(([max(0.0, 1 - sum(buildings))] + buildings, timing["features"] + timing["classify"]))
    return rows


def answers(program, pixels):
    lines = run(program, "classify", input=b"".join(pixels)).decode().splitlines()
    return [[float(x) for x in line.split()[:-2]] for line in lines]


def best(row):
    return max(range(len(row)), key=row.__getitem__)


def main():
    model, data = sys.argv[1], Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    photos = sorted(path for path in data.rglob("*") if path.suffix.lower() in (".jpg", ".jpeg"))
    photos = [photos[i * len(photos) // min(count, len(photos))] for i in range(min(count, len(photos)))]
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times = {weights: export(model, weights, folder / weights) for weights in ("float32", "float16", "int8")}
        export(model, "float32", folder / "again")
        for file in ("cupola.h", "cupola.c"):
            if (folder / "float32" / file).read_bytes() != (folder / "again" / file).read_bytes():
                failures.append(f"{file} differs between two exports")
        side = int((folder / "float32/cupola.h").read_text().split("#define CUPOLA_SIDE ")[1].split()[0])
        made = squares(photos, side, folder)
        pixels = [square for _, square in made]
        print(f"{len(photos)} photos of {data.name}, squares of {side} pixels")
        reference = None
        for weights in times:
            program, seconds = build(folder / weights, "sanitized", STRICT + SANITIZED)
            _, plain = build(folder / weights, "strict", STRICT + ["-O2"])
            size = (folder / weights / "cupola.c").stat().st_size
            found = answers(program, pixels)
            print(f"{weights}: cupola.c {size:,} bytes, exported in {times[weights]:.2f} s, compiled in {plain:.1f} s")
            if weights == "float32":
                texts = run(program, "texts").decode().splitlines()
                labels = [bytes.fromhex(text).decode() for text in texts[:len(texts) // 2]]
                reference = [row for row, _ in recognised(model, [path for path, _ in made], labels)]
            difference = max(abs(a - b) for x, y in zip(found, reference) for a, b in zip(x, y))
            others = sum(best(x) != best(y) for x, y in zip(found, reference))
            clear = sum(
                best(x) != best(y) and sorted(y)[-1] - sorted(y)[-2] > 1e-3 for x, y in zip(found, reference))
            print(f"  largest difference {difference:.2e}; other labels {others}, where they are clear {clear}")
            if len(found) != len(photos):
                failures.append(f"{weights}: {len(found)} answers")
            if weights == "float32" and (difference > 1e-4 or clear > 0):
                failures.append("float32: answers differ")
            if others > 0.005 * len(photos):
                failures.append(f"{weights}: {others} other labels")
        fast = {}
        for label, flags in (("this processor", ["-O3", "-march=native"]), ("any processor", STRICT + ["-O3"])):
            for weights in times:
                fast[weights, label], _ = build(folder / weights, label.replace(" ", "-"), flags)
        own, other = [], {key: [] for key in fast}
        for _ in range(5):
            own += [ms for _, ms in recognised(model, [made[0][0]] * 9, labels)][1:]
            for key, program in fast.items():
                other[key].append(float(run(program, "time", REPETITIONS, input=pixels[0])))
        mine = statistics.median(own)
        print(f"Cupola: {mine:.3f} ms a picture")
        for (weights, label), found in other.items():
            ratio = statistics.median(found) / mine
            print(f"  C, {weights}, for {label}: {statistics.median(found):.3f} ms, {ratio:.2f} times as long")
            if label == "this processor" and ratio > 1.5:
                failures.append(f"{weights}: {ratio:.2f} times as long as Cupola")
    for failure in failures:
        print("FAILED", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
