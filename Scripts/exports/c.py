"""Compares the C export of a model with `cupola classify` on real photos.

Selects COUNT (default: 200) photos from the folder PHOTOS, evenly by name, and resizes each to the model's input square with Pillow.
Exports MODEL with each type of weights, compiles the exports with all warnings as errors and with the address and undefined behavior
sanitizers, and classifies all squares. The exit code is 1 if

- a probability differs by more than 1e-4 from Cupola's with the same stored weights, or an answer differs although its two highest
  probabilities are more than 1e-3 apart;
- with float16 or int8 weights, more than 0.5% of the labels differ from float32;
- two exports of the same model differ, an export takes 2 s or more, or `cupola verify` rejects it;
- on one thread, the export takes more than 1.5 times as long as Cupola, compiled for this processor or with -O2 for any processor.

The size of the source code is not checked; the size of the compiled tables is printed.

The environment variable CC selects GCC or Clang (default: gcc).
"""
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from exports import photos as shared
from exports.photos import check, cupola, note, recognized
from support.common import ROOT

WEIGHTS = ("float32", "float16", "int8")
REPETITIONS = 41
CC = os.environ.get("CC", "gcc")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
SANITIZED = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


# MARK: The compiled program

def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, **options).stdout


def build(folder, name, flags):
    """Compile the export in a folder; return the program and the compile time in seconds."""
    program = folder / name
    start = time.monotonic()
    run(CC, *flags, "-I", folder, "-o", program, ROOT / "Scripts/exports/harness.c", folder / "cupola.c", "-lm")
    return program, time.monotonic() - start


def answers(program, pixels):
    """Return one row of probabilities for each square, given as bytes."""
    lines = run(program, "classify", input=b"".join(pixels)).decode().splitlines()
    return [[float(x) for x in line.split()[:-3]] for line in lines]


def labels_of(program):
    texts = run(program, "texts").decode().splitlines()
    return [bytes.fromhex(text).decode() for text in texts[:len(texts) // 2]]


# MARK: Comparisons


def check_weights(model, weights, scratch, squares, pixels):
    """Compare the results of one type of weights for the same pixels; return the probabilities."""
    folder = scratch / weights
    took = shared.exported(model, "c", weights, folder)
    check(took < 2, f"{weights}: exported in {took:.2f} s")
    check(cupola("verify", folder, model, accept=(0, 65)).returncode == 0, f"{weights}: verify")
    program, _ = build(folder, "sanitized", STRICT + SANITIZED)
    _, seconds = build(folder, "strict", STRICT + ["-O2"])
    stored = shared.rounded(model, weights, scratch / f"{weights}-model")
    note(f"{weights}: cupola.c has {(folder / 'cupola.c').stat().st_size} bytes for {shared.tensor_bytes(stored)} of "
         f"weights, compiled in {seconds:.1f} s")
    found = np.array(answers(program, pixels))
    shared.compare(weights, found, recognized(stored, squares, labels_of(program))[0], 1e-4)
    return found


def check_time(model, scratch, squares, pixels, labels):
    """Time all programs alternately and return the fastest run of each, which is least affected by other load."""
    builds = {"this processor": ["-O3", "-march=native"], "any processor": STRICT + ["-O2"]}
    programs = {(weights, name): build(scratch / weights, name.replace(" ", "-"), flags)[0]
                for weights in WEIGHTS for name, flags in builds.items()}
    own, others = [], {key: [] for key in programs}
    for _ in range(7):
        own += recognized(model, squares[:1] * 9, labels)[1][1:]
        for key, program in programs.items():
            others[key].append(float(run(program, "time", REPETITIONS, input=pixels[0])))
    for (weights, name), times in others.items():
        check(min(times) <= 1.5 * min(own), f"one thread: C, {weights}, for {name}, {min(times):.2f} ms, Cupola "
                                            f"{min(own):.2f} ms: {min(times) / min(own):.2f} times")


def main():
    model, photos = shared.arguments(__doc__)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        shared.exported(model, "c", "float32", scratch / "again")
        side = int((scratch / "again/cupola.h").read_text().split("#define CUPOLA_SIDE ")[1].split()[0])
        (scratch / "squares").mkdir()
        squares, pixels = shared.squares(photos, side, scratch / "squares")
        pixels = [square.tobytes() for square in pixels]
        found = {weights: check_weights(model, weights, scratch, squares, pixels) for weights in WEIGHTS}
        for weights in WEIGHTS[1:]:
            shared.compare_weights(weights, found[weights], found["float32"])
        for file in ("cupola.h", "cupola.c"):
            same = (scratch / "float32" / file).read_bytes() == (scratch / "again" / file).read_bytes()
            check(same, f"{file}: identical in two exports")
        check_time(model, scratch, squares, pixels, labels_of(scratch / "float32/sanitized"))
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
