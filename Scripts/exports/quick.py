"""Checks ONNX and C exports of Models/sample-campus.safetensors quickly, with eight photos from TrainingData.

For the same pixels and each type of weights, the probabilities from ONNX Runtime and from the compiled C code, which stops at undefined
behavior, must differ from Cupola's by at most 1e-4, and clear labels must be equal. `cupola verify` must accept the exports. At a position
next to each building on the map, for a photo of the building and for another photo, the export's place.py must convert ONNX Runtime's
probabilities to the same answer as `cupola classify --at`, with a tolerance of 1e-3.

The checks in both exports must pass, and must fail if the test photos are changed as if an app prepared them with exchanged channels, half
brightness, interpolation instead of area averaging, a center crop, or pixels from 0 to 1, or if the labels are shifted by one.
"""
import json
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
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


# MARK: The checks in exports

def cropped(pixels):
    height, width = pixels.shape[:2]
    edge = min(height, width)
    top, left = (height - edge) // 2, (width - edge) // 2
    return pixels[top:top + edge, left:left + edge]


def interpolated(pixels, side):
    """Interpolate between the four nearest pixels, without averaging."""
    def places(length):
        center = np.clip((np.arange(side) + 0.5) * length / side - 0.5, 0, length - 1)
        low = center.astype(int)
        return low, np.minimum(low + 1, length - 1), center - low
    (top, bottom, down), (left, right, across) = places(pixels.shape[0]), places(pixels.shape[1])
    pixels, down, across = pixels.astype(float), down[:, None, None], across[None, :, None]
    upper = pixels[top][:, left] * (1 - across) + pixels[top][:, right] * across
    lower = pixels[bottom][:, left] * (1 - across) + pixels[bottom][:, right] * across
    return np.round(upper * (1 - down) + lower * down).astype(np.uint8)


MUTATIONS = {
    "none": lambda pixels, side: pixels,
    "exchanged channels": lambda pixels, side: pixels[..., ::-1],
    "half brightness": lambda pixels, side: pixels // 2,
    "interpolation": interpolated,
    "center crop": lambda pixels, side: cropped(pixels),
    "pixels from 0 to 1": lambda pixels, side: pixels // 255,
}


def png(pixels):
    """Return an uncompressed PNG file, which the check in C can read."""
    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")
    height, width = pixels.shape[:2]
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def shift_labels(golden):
    expected = json.loads((golden / "expected.json").read_text())
    for picture in expected["pictures"]:
        picture["probabilities"] = picture["probabilities"][-1:] + picture["probabilities"][:-1]
    (golden / "expected.json").write_text(json.dumps(expected))
    if (golden / "expected.txt").exists():
        lines = [line.split() for line in (golden / "expected.txt").read_text().splitlines()]
        (golden / "expected.txt").write_text("".join(" ".join(line[:6] + line[-1:] + line[6:-1]) + "\n" for line in lines))


def prove_check(form, folder, side, *command):
    """Run an export's check, which must fail for every mutation."""
    for name, mutation in [*MUTATIONS.items(), ("shifted labels", None)]:
        shutil.rmtree(folder / "golden")
        shutil.copytree(folder / "unchanged", folder / "golden")
        if mutation is None:
            shift_labels(folder / "golden")
        elif name != "none":
            for path in (folder / "golden").glob("*.png"):
                path.write_bytes(png(mutation(np.asarray(shared.upright(path)), side)))
        result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, cwd=folder)
        failed = result.stdout.count("FAILED")
        check(result.returncode == (0 if name == "none" else 1), f"{form}, check, {name}: {failed} photos fail")


def prove_checks(scratch, side):
    for form in ("onnx", "c"):
        folder = scratch / f"{form}-check"
        shared.exported(MODEL, form, "float32", folder)
        shutil.copytree(folder / "golden", folder / "unchanged")
    prove_check("ONNX", scratch / "onnx-check", side, sys.executable, "check.py")
    folder = scratch / "c-check"
    c_program.run(c_program.CC, *STRICT, "-O2", "-o", folder / "check", folder / "check.c", folder / "cupola.c", "-lm")
    prove_check("C", folder, side, folder / "check", folder)


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
        prove_checks(scratch, side)
    print(f"{len(shared.faults)} faults in {time.monotonic() - start:.0f} s")
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
