#!/usr/bin/env python3
"""Runs an exported Core ML package by coremltools' own operations and compares it with `cupola classify`.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install -r Scripts/exports/requirements-coreml.txt
    swift build -c release
    /tmp/venv/bin/python Scripts/exports/coreml.py MODEL.safetensors NAME.mlpackage PHOTOS... [--count 50]

Core ML itself runs on Apple devices only. Here coremltools loads the package with the reader of its own format
(milproto), which checks types and shapes, and its NumPy reference of every operation computes it; the three operations
without a reference there, conv, classify and the picture's arrival, are a few lines below. Photos are turned upright and
squashed to the model's size by Pillow and handed to both sides as the same pixels. The exit code is 1 if the largest
difference of a probability is more than --limit (1e-4), if a label differs whose top two differ by more than 1e-3, if
the package holds fields that coremltools does not know, or if a damaged package loads.
"""
import sys

sys.path.pop(0)  # beside this file stand others that are called like packages

import argparse  # noqa: E402
import io  # noqa: E402
import json  # noqa: E402
import logging  # noqa: E402
import os  # noqa: E402
import subprocess  # noqa: E402
import tempfile  # noqa: E402
import time  # noqa: E402
import warnings  # noqa: E402
from pathlib import Path  # noqa: E402

import numpy as np  # noqa: E402
from PIL import Image, ImageOps  # noqa: E402

logging.disable(logging.WARNING)  # coremltools misses its macOS parts aloud
import coremltools as ct  # noqa: E402
from coremltools.converters.mil.frontend.milproto.load import load as load_program  # noqa: E402
from coremltools.converters.mil.mil import Builder as mb  # noqa: E402
from coremltools.converters.mil.mil import Function  # noqa: E402
from google.protobuf.unknown_fields import UnknownFieldSet  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CUPOLA = os.environ.get("CUPOLA", str(ROOT / ".build/release/cupola"))
NONE = "not_a_campus_building"


# MARK: The package

def unknown_fields(message, path="model"):
    """Paths of messages with fields that the format does not define."""
    found = [path] * len(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            if field.message_type.fields_by_name["value"].message_type is None:
                continue
            parts = list(value.values())
        else:
            parts = list(value) if field.is_repeated else [value]
        for part in parts:
            found += unknown_fields(part, f"{path}.{field.name}")
    return found


class Package:
    """A package as coremltools reads it, with its program's operations."""

    def __init__(self, path, spec=None):
        self.spec = spec or ct.utils.load_spec(str(path))
        description = self.spec.description
        image = description.input[0].type.imageType
        assert self.spec.specificationVersion == 6, "specification version"
        assert [f.name for f in description.input] == ["image"], "inputs"
        assert [f.name for f in description.output] == ["classLabel", "classLabel_probs"], "outputs"
        assert image.width == image.height and image.colorSpace == 20, "an RGB square"
        assert description.predictedFeatureName == "classLabel", "predicted feature"
        assert description.predictedProbabilitiesName == "classLabel_probs", "predicted probabilities"
        self.side = image.width
        weights = Path(path) / "Data/com.apple.CoreML/weights"
        program = load_program(self.spec, self.spec.specificationVersion, str(weights))
        self.operations = program.functions["main"].operations
        self.labels = [str(label) for label in self.operations[-1].classes.val]

    def probabilities(self, pixels):
        """Probabilities by label for side x side x 3 bytes, and which operations coremltools computed."""
        values, by = {}, {"coremltools": 0, "here": 0}
        values["image"] = pixels.astype(np.float32).transpose(2, 0, 1)[None]
        last_use = {}
        for index, operation in enumerate(self.operations):
            for name in inputs_of(operation):
                last_use[name] = index
        for index, operation in enumerate(self.operations):
            if operation.op_type == "const":
                continue
            inputs = {name: value_of(value, values) for name, value in operation.inputs.items() if value is not None}
            if operation.op_type == "classify":
                flat = np.asarray(inputs["probabilities"], np.float64).reshape(-1)
                by["here"] += 1
                return dict(zip(self.labels, flat)), by
            if operation.op_type == "conv":
                result = convolve(**inputs)
                by["here"] += 1
            else:
                # A function of its own for every operation, so that its values are set free.
                with Function({}, opset_version=ct.target.iOS15):
                    result = getattr(mb, operation.op_type)(**inputs).val
                assert result is not None, f"coremltools did not compute {operation.op_type}"
                by["coremltools"] += 1
            output = operation.outputs[0]
            result = np.asarray(result)
            assert result.dtype == np.float32, f"{output.name} is {result.dtype}"
            assert result.shape == tuple(output.shape), f"{output.name}: {result.shape}, declared {output.shape}"
            values[output.name] = result
            for name in inputs_of(operation):
                if last_use[name] == index:
                    values.pop(name, None)
        raise AssertionError("the program has no classify")


def is_constant(value):
    return value.op is not None and value.op.op_type == "const"


def inputs_of(operation):
    """Names of the values that an operation computes with."""
    for value in operation.inputs.values():
        for part in value if isinstance(value, (tuple, list)) else [value]:
            if part is not None and not is_constant(part):
                yield part.name


def value_of(value, values):
    if isinstance(value, (tuple, list)):
        return [value_of(part, values) for part in value]
    return value.val if is_constant(value) else values[value.name]


def convolve(x, weight, strides, pad_type, pad, dilations, groups):
    """conv of the language: cross-correlation, a kernel's tap at a time."""
    assert pad_type == "custom" and list(dilations) == [1, 1]
    top, bottom, left, right = pad
    x = np.pad(x, ((0, 0), (0, 0), (top, bottom), (left, right)))
    filters, depth, height, width = weight.shape
    rows = (x.shape[2] - height) // strides[0] + 1
    columns = (x.shape[3] - width) // strides[1] + 1
    result = np.zeros((1, filters, rows, columns), np.float32)
    for row in range(height):
        for column in range(width):
            part = x[:, :, row:row + (rows - 1) * strides[0] + 1:strides[0],
                     column:column + (columns - 1) * strides[1] + 1:strides[1]]
            tap = weight[:, :, row, column]
            if groups == 1:
                result[0] += np.tensordot(tap, part[0], axes=(1, 0))
            else:
                assert groups == filters and depth == 1
                result[0] += tap[:, :, None] * part[0]
    return result


# MARK: The comparison

def photos_in(paths, count):
    found = []
    for path in paths:
        path = Path(path)
        every = sorted(path.rglob("*.jp*g")) if path.is_dir() else [path]
        step = max(1, len(every) // count)
        found += every[::step][:count]
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


def recognised(model, folder):
    """Probabilities by label as the Swift recogniser gives them."""
    run = subprocess.run([CUPOLA, "classify", str(model), str(folder), "--jsonl", "--no-place", "--top", "100000", "-q"],
                         capture_output=True, text=True)
    answers = {}
    for line in run.stdout.splitlines():
        answer = json.loads(line)
        known = {c["label"]: c["image_probability"] for c in answer.get("candidates") or []}
        answers[Path(answer["photo"]).name] = {NONE: 1 - sum(known.values()), **known}
    if not answers:
        sys.exit(f"error: cupola classify: {run.stderr.strip()}")
    return answers


def compare(package, model, photos, limit):
    worst, same, clear, wrong, by = 0.0, 0, 0, 0, {}
    seconds = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pixels = squares(photos, package.side, folder)
        answers = recognised(model, folder)
        for index, square in enumerate(pixels):
            expected = answers[f"{index:05}.jpg"]
            start = time.perf_counter()
            found, by = package.probabilities(square)
            seconds += time.perf_counter() - start
            assert set(found) == set(expected), f"labels {sorted(found)}, {sorted(expected)}"
            difference = max(abs(found[label] - expected[label]) for label in expected)
            worst = max(worst, difference) if difference == difference else float("inf")
            first, second = sorted(expected.values())[:-3:-1]
            agree = max(found, key=found.get) == max(expected, key=expected.get)
            same += agree
            if first - second > 1e-3:
                clear += 1
                wrong += not agree
    print(f"{len(photos)} photos: largest probability difference {worst:.2e} (limit {limit:g}), same label {same}, "
          f"{wrong} others among {clear} clear ones; {seconds / len(photos) * 1000:.0f} ms a photo")
    print(f"operations: {by['coremltools']} by coremltools, {by['here']} here")
    return worst <= limit and wrong == 0


# MARK: Negative controls: what the proof would find

def damages(spec):
    """Copies of a model with one thing wrong, each with its name."""
    def block(copy):
        function = copy.mlProgram.functions["main"]
        return function.block_specializations[function.opset].operations

    def operation(copy, kind):
        return next(o for o in block(copy) if o.type == kind)

    def blob(copy):
        return next(o for o in block(copy) if o.type == "const" and o.attributes["val"].WhichOneof("value") == "blobFileValue")

    def edge(copy):
        operation(copy, "softmax").inputs["x"].arguments[0].name = "nowhere"

    def shape(copy):
        operation(copy, "softmax").outputs[0].type.tensorType.dimensions[1].constant.size += 1

    def offset(copy):
        blob(copy).attributes["val"].blobFileValue.offset += 64

    def labels(copy):
        value = operation(copy, "classify").inputs["classes"].arguments[0].value
        del value.immediateValue.list.values[0]

    def kind(copy):
        operation(copy, "softmax").type = "softmacks"

    def parameter(copy):
        operation(copy, "reshape").inputs["form"].arguments.add().name = "image"

    def missing(copy):
        del operation(copy, "matmul").inputs["y"]

    def weight(copy):
        dimension = blob(copy).outputs[0].type.tensorType.dimensions[0].constant
        dimension.size += 1
        blob(copy).attributes["val"].type.tensorType.dimensions[0].constant.size = dimension.size

    def predicted(copy):
        copy.description.predictedFeatureName = "label"

    for damage in (edge, shape, offset, labels, kind, parameter, missing, weight, predicted):
        copy = type(spec)()
        copy.CopyFrom(spec)
        damage(copy)
        yield damage.__name__, copy


def controls(path, package):
    """Whether every damage is noticed."""
    missed = []
    for name, spec in damages(package.spec):
        try:
            Package(path, spec)
            missed.append(name)
        except Exception:  # whatever coremltools raises
            pass
    print(f"negative controls: 9 damages, missed: {', '.join(missed) or 'none'}")
    return not missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("package")
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--count", type=int, default=50, help="photos from each folder, evenly spaced")
    parser.add_argument("--limit", type=float, default=1e-4)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    package = Package(arguments.package)
    unknown = unknown_fields(package.spec)
    print(f"{arguments.package}: {len(package.operations)} operations, {len(package.labels)} labels, "
          f"unknown fields: {len(unknown)}")
    photos = photos_in(arguments.photos, arguments.count)
    sound = compare(package, arguments.model, photos, arguments.limit)
    noticed = controls(arguments.package, package)
    return 0 if sound and noticed and not unknown else 1


sys.exit(main())
