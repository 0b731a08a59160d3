"""Checks ONNX and C exports of Models/sample-campus.safetensors quickly, with eight photos from TrainingData.

For the same pixels and each type of weights, the probabilities from ONNX Runtime and from the compiled C code, which stops at undefined
behavior, must differ from Cupola's by at most 1e-4, and clear labels must be equal. `cupola verify` must accept the exports. At a position
next to each building on the map, for a photo of the building and for another photo, the export's place.py must convert ONNX Runtime's
probabilities to the same answer as `cupola classify --at`, with a tolerance of 1e-3.
"""
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime

from exports import c as c_program
from exports import photos as shared
from exports.c import SANITIZED, STRICT
from exports.photos import check, cupola, recognized
from support.common import MODEL, PHOTOS

COUNT = 8


class Session:
    """An ONNX export that runs on one thread."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 2  # shows warnings
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

    def milliseconds(self, pixels):
        start = time.perf_counter()
        self.session.run(None, {"image": pixels[None]})
        return 1e3 * (time.perf_counter() - start)


def exported(form, weights, scratch):
    folder = scratch / f"{form}-{weights}"
    shared.exported(MODEL, form, weights, folder)
    found = [cupola("verify", folder, *model, accept=(0, 65)).returncode for model in ([], [MODEL])]
    check(found == [0, 0], f"{form}, {weights}: verify")
    return folder


def prove(weights, scratch, paths, pixels):
    session = Session(exported("onnx", weights, scratch) / "campus.onnx")
    stored = shared.rounded(MODEL, weights, scratch / f"{weights}-model")
    expected, _ = recognized(stored, paths, session.labels)
    shared.compare(f"ONNX, {weights}", [session.answer(square) for square in pixels], expected, 1e-4)
    program, _ = c_program.build(exported("c", weights, scratch), "program", STRICT + SANITIZED)
    check(c_program.labels_of(program) == session.labels, f"C, {weights}: {len(session.labels)} labels in the model's order")
    shared.compare(f"C, {weights}", c_program.answers(program, [p.tobytes() for p in pixels]), expected, 1e-4)


def prove_places(folder, scratch, paths, pixels):
    sys.path.insert(0, str(folder))
    from place import Places
    places, session = Places(folder / "place.json"), Session(folder / "campus.onnx")
    decision, others, verdicts = json.loads(session.notes["decision"]), [], set()
    buildings = [b for b in places.buildings if b.position]
    own = [sorted((PHOTOS / b.label).glob("*.jpg"))[-1] for b in buildings if b.trained]
    (scratch / "own").mkdir()
    more_paths, more_pixels = shared.squares(own, session.side, scratch / "own")
    paths, pixels = more_paths + paths, more_pixels + pixels
    trials = [(b, i) for i, b in enumerate(b for b in buildings if b.trained)]
    trials += [(b, len(own) + i % COUNT) for i, b in enumerate(buildings)]
    for index, (building, photo) in enumerate(trials):
        (x, y) = building.position
        at, heading = (y - 0.0005, x + 0.0001), index * 40 % 360
        line = cupola("classify", MODEL, paths[photo], "--jsonl", "--quiet", "--threads", 1, "--top", 3, "--at", "{},{}".format(*at),
                      "--position-error", 10, "--heading", heading).stdout
        wanted = json.loads(line)
        verdicts.add(wanted["verdict"])
        if wanted["verdict"] == "not_on_campus":
            continue
        found = places.answer(session.answer(pixels[photo]), decision, at[1], at[0], 10, heading)
        best, expected = found.candidates[0], wanted["candidates"][0]
        if (found.verdict, best[0].label) != (wanted["verdict"], expected["label"]) or abs(best[1] - expected["probability"]) > 1e-3:
            others.append(f"{building.label}: {found.verdict}, {best[0].label} {best[1]:.4f}, not {wanted['verdict']}, {expected}")
    check(not others, f"place.py: {len(others)} of {len(trials)} answers differ from Cupola's; verdicts {sorted(verdicts)} {others}")
    check("building" in verdicts, "place.py: some answers are buildings")


def main():
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        (scratch / "squares").mkdir()
        side = Session(exported("onnx", "float32", scratch) / "campus.onnx").side
        paths, pixels = shared.squares(shared.photos_in(PHOTOS, COUNT), side, scratch / "squares")
        for weights in ("float32", "float16", "int8"):
            prove(weights, scratch, paths, pixels)
        prove_places(scratch / "onnx-float32", scratch, paths, pixels)
    print(f"{len(shared.faults)} faults in {time.monotonic() - start:.0f} s")
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
