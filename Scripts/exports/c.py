#!/usr/bin/env python3
"""Compares the C export of a model with `cupola classify` on real photos.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install -r Scripts/exports/requirements-c.txt
    swift build -c release && /tmp/venv/bin/python Scripts/exports/c.py MODEL PHOTOS [COUNT]

Takes COUNT (200) photos of the folder PHOTOS, evenly by name, and makes each the model's square with Pillow. Exports MODEL
with each kind of weights, compiles the export with all warnings as errors and with the address and undefined behavior
sanitizers, and asks it for all squares. The exit code is 1 when

- a probability differs by more than 1e-4 from what Cupola answers with the weights stored so, or a label where the best two
  differ by more than 1e-3;
- with float16 or int8 weights more than 0.5 % of the labels are others than with float32;
- two exports of one model differ, one takes 2 s or more, or `cupola verify` refuses it;
- it takes more than 1.5 times as long as Cupola, both on one thread, compiled for this processor or, with -O2, for any.

The source is text, so that its size says nothing; that of the compiled tables is told.

GCC or Clang is taken from CC (gcc).
"""
import sys

sys.path.pop(0)  # beside this file stand others that are called like packages

import tempfile  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402

sys.path.append(str(Path(__file__).parent / "shared"))
import photos as shared  # noqa: E402
from c_program import SANITIZED, STRICT, answers, build, labels_of, run  # noqa: E402
from photos import check, cupola, note, recognized  # noqa: E402

WEIGHTS = ("float32", "float16", "int8")
REPETITIONS = 41


def check_weights(model, weights, scratch, squares, pixels):
    """One kind of weights from the same pixels; gives the probabilities."""
    folder = scratch / weights
    took = shared.exported(model, "c", weights, folder)
    check(took < 2, f"{weights}: exported in {took:.2f} s")
    check(cupola("verify", folder, model, accept=(0, 65)).returncode == 0, f"{weights}: verify")
    program, _ = build(folder, "sanitized", STRICT + SANITIZED)
    _, seconds = build(folder, "strict", STRICT + ["-O2"])
    stored = shared.rounded(model, weights, scratch / f"{weights}-model")
    note(f"{weights}: cupola.c of {(folder / 'cupola.c').stat().st_size} bytes for {shared.tensor_bytes(stored)} of "
         f"weights, compiled in {seconds:.1f} s")
    found = np.array(answers(program, pixels))
    shared.compare(weights, found, recognized(stored, squares, labels_of(program))[0], 1e-4)
    return found


def check_time(model, scratch, squares, pixels, labels):
    """All in turn, and of each the fastest run: other work on the machine counts for none."""
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
            check(same, f"{file}: the same bytes twice")
        check_time(model, scratch, squares, pixels, labels_of(scratch / "float32/sanitized"))
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
