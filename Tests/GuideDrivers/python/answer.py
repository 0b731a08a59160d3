"""Runs the Python code of ONNX exports with stubs of its imports: answer.py FOLDER...

A folder holds recognize.py, export.json, cases.txt, and campus.geojson if there is a map. Each line of cases.txt is one of these, with "?" for unknown values:

p PROBABILITY...                                              a photo
at LATITUDE LONGITUDE ERROR                                   the last photo with a position
here LATITUDE LONGITUDE ERROR HEADING VIEW PROBABILITY...     a photo with position, heading and view

Prints the part of a 400 x 300 photo that the model receives, then one answer per line: to "p" and "at", the text of the
code; to "here", the verdict, the labels, and the three most probable buildings.
"""
import json
import math
import os
import sys
from types import ModuleType, SimpleNamespace

given = []


class Photo:
    size = width, height = 400, 300

    def __init__(self, part=(0, 0, 400, 300), upright=False):
        self.part, self.upright = part, upright

    def convert(self, mode):
        assert mode == "RGB" and self.upright
        return self

    def crop(self, box):
        return Photo((box[0], box[1], box[2] - box[0], box[3] - box[1]), self.upright)

    def __getitem__(self, index):
        assert index is None
        return [self]


class Row(list):
    def astype(self, kind):
        return self


class Session:
    def __init__(self, path):
        assert os.path.basename(path) == "campus.onnx"

    def get_modelmeta(self):
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in NOTES.items()}
        return SimpleNamespace(custom_metadata_map=texts)

    def run(self, names, inputs):
        global used
        assert names == ["probabilities"] and list(inputs) == ["image"]
        (photo,) = inputs["image"]
        used = photo.part
        return [[Row(given)]]


def stub(name, **members):
    sys.modules[name] = ModuleType(name)
    vars(sys.modules[name]).update(members)


stub("numpy")
stub("onnxruntime", InferenceSession=Session)
stub("PIL", Image=SimpleNamespace(open=lambda path: Photo()),
     ImageOps=SimpleNamespace(exif_transpose=lambda photo: Photo(upright=True)))


def verdict_of(answer):
    if answer in ("Not on Campus", "Not a Campus Building"):
        return answer.lower().replace(" ", "_")
    return {"Probably": "mapped_building", "Unsure:": "unsure"}.get(answer.split(" ")[0], "building")


def describe_here(values, guide):
    """Returns the answer of the guide together with the answer of its place.py."""
    y, x, error, heading, view = (None if value == "?" else float(value) for value in values[:5])
    given[:] = map(float, values[5:])
    verdict = verdict_of(guide["answer"]("photo.jpg", (x, y, error), heading, view))
    found = guide["PLACES"].answer(given, guide["decision"], x, y, error, heading, view)
    if found is None or verdict == "not_on_campus":
        return verdict
    assert found.verdict == verdict
    best = [f"{b.label}={p!r}" for b, p in found.candidates[:3]]
    return " ".join([verdict, ",".join(b.label for b in found.buildings), *best])


for folder in sys.argv[1:]:
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.modules.pop("place", None)
    NOTES = json.load(open("export.json", encoding="utf-8"))["notes"]
    SIDE = NOTES["input"]["side"]
    guide = {"__name__": "guide", "__file__": os.path.join(folder, "recognize.py")}
    exec(open("recognize.py", encoding="utf-8").read(), guide)
    guide["square"] = lambda photo: photo  # needs NumPy; Scripts/verify exports-quick runs it
    lines = []
    for kind, *values in map(str.split, open("cases.txt")):
        if kind == "here":
            lines.append(describe_here(values, guide))
        elif kind == "p":
            given[:] = map(float, values)
            lines.append(guide["answer"]("photo.jpg"))
        else:
            y, x, error = values
            place = (float(x), float(y)) if error == "?" else (float(x), float(y), float(error))
            lines.append(guide["answer"]("photo.jpg", place))
    print("part", *used)
    # Cropping the smallest photo leaves one pixel.
    Photo.size = 1, 1
    guide["answer"]("photo.jpg")
    Photo.size = 400, 300
    assert min(used[2:]) > 0, used
    if guide["PLACES"]:
        # A view of NaN is unknown, as is None: upright photos use the default. A negative accuracy disables the
        # fence.
        views, Photo.size = [], (300, 400)
        guide["PLACES"].answer = lambda *_, heading, view: views.append(view)
        for view in None, math.nan:
            guide["answer"]("photo.jpg", (0, 0, -1), 90, view)
        Photo.size = 400, 300
        assert views == [guide["PLACES"].c.upright_view_deg] * 2, views
    print(*lines, sep="\n")
