"""Runs Core ML exports of a model with coremltools' operations and compares them with `cupola classify`.

Core ML runs only on Apple devices. Instead, coremltools loads the package with its own reader (milproto), which checks types and shapes,
and computes each operation with its NumPy reference implementation. This file implements the operations that have none: conv, avg_pool,
classify and the image input. Selects COUNT (default: 200) photos from the folder PHOTOS, evenly by name. Pillow rotates them upright and
resizes them to the model's input square, so that both programs get the same pixels. The exit code is 1 if

- a probability differs by more than 1e-4 with float32 weights, or 5e-3 with float16 weights, for which products are computed in half precision,
- an answer differs although its two highest probabilities are more than 1e-3 or 5e-3 apart,
- with float16 weights, more than 0.5% of the labels differ from float32,
- an export takes 2 s or more, is more than 5% or 60 kB (whichever is more) larger than weights, labels, thresholds and map,
  or `cupola verify` rejects it,
- the package contains fields unknown to coremltools, or coremltools loads a damaged package.
"""
import logging
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

logging.disable(logging.WARNING)  # hides warnings about missing macOS parts
import coremltools as ct
from coremltools.converters.mil.frontend.milproto.load import load as load_program
from coremltools.converters.mil.mil import Builder as mb
from coremltools.converters.mil.mil import Function, types
from google.protobuf.unknown_fields import UnknownFieldSet

from exports import photos as shared
from exports.photos import check, cupola, note, recognized

WEIGHTS = {"float32": 1e-4, "float16": 5e-3}  # with the largest difference in probability
ELEMENTS = {types.fp16: np.float16, types.fp32: np.float32}


# MARK: The package

def unknown_fields(message, path="model"):
    """Yield the paths of messages that have fields the format does not define."""
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
    """A package as read by coremltools, with the operations of its program."""

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
        """Return probabilities in label order for side x side x 3 bytes, and the number of operations by implementation."""
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
                return flat, by
            if operation.op_type in HERE:
                result = HERE[operation.op_type](**inputs)
                by["here"] += 1
            else:
                # One function per operation, so that its values are released.
                with Function({}, opset_version=ct.target.iOS15):
                    result = getattr(mb, operation.op_type)(**inputs).val
                assert result is not None, f"coremltools cannot compute {operation.op_type}"
                by["coremltools"] += 1
            output = operation.outputs[0]
            result = np.asarray(result)
            assert result.dtype == ELEMENTS[output.dtype], f"{output.name} is {result.dtype}"
            assert result.shape == tuple(output.shape), f"{output.name}: {result.shape}, declared {output.shape}"
            values[output.name] = result
            for name in inputs_of(operation):
                if last_use[name] == index:
                    values.pop(name, None)
        raise AssertionError("the program has no classify")


def is_constant(value):
    return value.op is not None and value.op.op_type == "const"


def inputs_of(operation):
    """Return the names of an operation's inputs."""
    for value in operation.inputs.values():
        for part in value if isinstance(value, (tuple, list)) else [value]:
            if part is not None and not is_constant(part):
                yield part.name


def value_of(value, values):
    if isinstance(value, (tuple, list)):
        return [value_of(part, values) for part in value]
    return value.val if is_constant(value) else values[value.name]


def windows(x, height, width, strides):
    """Return the samples under each tap of a kernel, at all positions where the kernel fits."""
    rows = (x.shape[2] - height) // strides[0] + 1
    columns = (x.shape[3] - width) // strides[1] + 1
    for row in range(height):
        for column in range(width):
            yield row, column, x[:, :, row:row + (rows - 1) * strides[0] + 1:strides[0],
                                 column:column + (columns - 1) * strides[1] + 1:strides[1]]


def convolve(x, weight, pad_type, strides=(1, 1), pad=(0, 0, 0, 0), dilations=(1, 1), groups=1):
    """The operation conv: cross-correlation, one tap of the kernel at a time."""
    assert pad_type == "valid" and list(dilations) == [1, 1] and groups == 1 and not any(pad)
    return sum(np.tensordot(weight[:, :, row, column], part[0], axes=(1, 0))
               for row, column, part in windows(x, *weight.shape[2:], strides))[None].astype(np.float32)


def average(x, kernel_sizes, pad_type, strides=(1, 1), pad=(0, 0, 0, 0), exclude_padding_from_average=False,
            ceil_mode=False):
    """The operation avg_pool."""
    assert pad_type == "valid" and not any(pad) and not ceil_mode
    return sum(part for _, _, part in windows(x, *kernel_sizes, strides)) / np.float32(np.prod(kernel_sizes))


HERE = {"conv": convolve, "avg_pool": average}


# MARK: Negative controls: damage that the checks must detect

def damages(spec):
    """Yield pairs of a name and a copy of a model that contains one error."""
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
    """Check that each damage is detected."""
    missed = []
    for name, spec in damages(package.spec):
        try:
            Package(path, spec)
            missed.append(name)
        except Exception:  # coremltools raises various types
            pass
    check(not missed, f"negative controls: 9 damages, missed: {', '.join(missed) or 'none'}")


def check_weights(model, weights, scratch, squares, pixels):
    """Compare the results of one type of weights for the same pixels; return the probabilities."""
    folder = scratch / weights
    took = shared.exported(model, "coreml", weights, folder)
    check(took < 2, f"{weights}: exported in {took:.2f} s")
    check(cupola("verify", folder, model, accept=(0, 65)).returncode == 0, f"{weights}: verify")
    stored = shared.rounded(model, weights, scratch / f"{weights}-model")
    path = folder / "Campus.mlpackage"
    size = sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    shared.compare_size("coreml", weights, size, stored, folder)
    package = Package(path)
    check(not unknown_fields(package.spec), f"{weights}: no unknown fields, {len(package.operations)} operations")
    start = time.perf_counter()
    answers = [package.probabilities(square) for square in pixels]
    by = answers[0][1]
    note(f"{weights}: {by['coremltools']} operations by coremltools, {by['here']} by this script; "
         f"{(time.perf_counter() - start) / len(pixels) * 1000:.0f} ms per photo")
    found = np.array([row for row, _ in answers])
    shared.compare(weights, found, recognized(stored, squares, package.labels)[0], WEIGHTS[weights])
    return found


def main():
    warnings.simplefilter("ignore")
    model, photos = shared.arguments(__doc__)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        shared.exported(model, "coreml", "float32", scratch / "float32")
        path = scratch / "float32/Campus.mlpackage"
        package = Package(path)
        (scratch / "squares").mkdir()
        squares, pixels = shared.squares(photos, package.side, scratch / "squares")
        found = {weights: check_weights(model, weights, scratch, squares, pixels) for weights in WEIGHTS}
        shared.compare_weights("float16", found["float16"], found["float32"])
        controls(path, package)
    sys.exit(1 if shared.faults else 0)


if __name__ == "__main__":
    main()
