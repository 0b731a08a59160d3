"""Names the building in a photo: python3 recognize.py PHOTO"""
import json, math, os, sys
import numpy as np, onnxruntime
from PIL import Image, ImageOps
from place import Places, distance
from types import SimpleNamespace

FOLDER = os.path.dirname(os.path.abspath(__file__))
session = onnxruntime.InferenceSession(os.path.join(FOLDER, "campus.onnx"))
notes = session.get_modelmeta().custom_metadata_map
labels, decision = json.loads(notes["labels"]), json.loads(notes["decision"])
side = json.loads(notes["input"])["side"]
try:
    features = json.load(open(os.path.join(FOLDER, "campus.geojson"), encoding="utf-8"))["features"]
except FileNotFoundError:
    features = []
GROUNDS = [f["geometry"] for f in features if f["properties"]["role"] == "boundary"]
FENCE = [rings for g in GROUNDS for rings in ([g["coordinates"]] if g["type"] == "Polygon" else g["coordinates"])]
PLACE = os.path.join(FOLDER, "place.json")
PLACES = Places(PLACE) if os.path.exists(PLACE) else None  # combines the image with position and heading
TEXTS = {"building": "{0} ({p:.1%})", "mapped_building": "Probably {0}",  # the words of `cupola classify`
         "unsure": "Unsure: {0} or {1}", "not_a_campus_building": "Not a Campus Building"}
RECORDS = {f["properties"]["label"]: f["properties"] for f in features if f["properties"]["role"] == "building"}

def is_outside(x, y, error=None):
    """Whether a place is outside the campus by more than the position error in meters (default: 15). False for a
    negative error, which means that there is no position."""
    error = 15 if error is None else error
    if not FENCE or not (abs(y) <= 90 and abs(x) <= 180 and error >= 0):
        return False
    place = SimpleNamespace(longitude=x, latitude=y)
    return all(distance(place, rings) > max(error, 0.01) for rings in FENCE)  # 1 cm allows for rounding

def taps(size, count):
    """The weights that resize an axis: area averages, or interpolation if the photo is smaller than the square."""
    old, new = np.arange(size)[None], np.arange(count)[:, None]
    if size >= count:
        overlap = np.minimum((old + 1) * count, (new + 1) * size) - np.maximum(old * count, new * size)
        return np.maximum(overlap, 0) / size
    center = np.clip((new + 0.5) * size / count - 0.5, 0, size - 1)
    return np.maximum(1 - abs(center - old), 0)

def square(photo):
    """The pixels for the model, exactly as in Cupola."""
    pixels = np.asarray(photo)
    height, width = pixels.shape[:2]
    rows, columns = taps(height, side), taps(width, side).T
    resized = np.stack([rows @ pixels[..., channel] @ columns for channel in range(3)], axis=-1)
    return np.floor(resized + 0.500000001).astype(np.uint8)

def probabilities(path):
    """The probability of every label, and whether the photo is higher than wide."""
    photo = ImageOps.exif_transpose(Image.open(path)).convert("RGB")  # upright
    width, height = photo.size
    # the whole photo is stretched to the square
    return session.run(["probabilities"], {"image": square(photo)[None]})[0][0].astype(float), width < height

def answer(path, place=None, heading=None, view=None):
    """place: (longitude, latitude) or (longitude, latitude, error in meters), if known. For heading and view, see
    place.py."""
    if place and is_outside(*place):
        return "Not on Campus"
    p, is_upright = probabilities(path)
    if place and PLACES:
        usual = PLACES.c.upright_view_deg if is_upright else None
        view = view if view and math.isfinite(view) else usual
        found = PLACES.answer(p, decision, *place, heading=heading, view=view)
        if found:
            return TEXTS[found.verdict].format(*(b.name for b in found.buildings), p=found.probability)
    none = [i for i, label in enumerate(labels) if label in ("not_a_campus_building", "unknown_building")]
    ranked = sorted(set(range(len(p))) - set(none), key=lambda i: -p[i])
    known = 1 - sum(p[i] for i in none if labels[i] == "unknown_building")  # excludes unknown buildings
    if not ranked or math.log(max(p[ranked[0]], 1e-300) / max(sum(p[i] for i in none), 1e-300)) < decision["least_odds"]:
        return "Not a Campus Building"
    shares = [p[i] / max(sum(p[j] for j in ranked), 1e-300) for i in ranked]
    names = [RECORDS.get(labels[i], {}).get("name", labels[i]) for i in ranked]
    if shares[0] >= decision["least_share"]:
        return TEXTS["building"].format(names[0], p=p[ranked[0]] / known)
    return TEXTS["unsure" if sum(shares[:2]) >= decision["least_share"] else "not_a_campus_building"].format(*names)

if __name__ == "__main__":
    print(answer(sys.argv[1]))
