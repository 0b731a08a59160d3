import json, math, sys
import numpy as np, onnxruntime
from PIL import Image, ImageOps

session = onnxruntime.InferenceSession("campus.onnx")
notes = session.get_modelmeta().custom_metadata_map
labels, decision = json.loads(notes["labels"]), json.loads(notes["decision"])
side = json.loads(notes["input"])["side"]
try:
    features = json.load(open("campus.geojson", encoding="utf-8"))["features"]
except FileNotFoundError:
    features = []
GROUNDS = [f["geometry"] for f in features if f["properties"]["role"] == "boundary"]
FENCE = [rings for g in GROUNDS for rings in ([g["coordinates"]] if g["type"] == "Polygon" else g["coordinates"])]
RECORDS = {f["properties"]["label"]: f["properties"] for f in features if f["properties"]["role"] == "building"}

def is_outside(x, y, error=None):
    """Whether a place is surely off the grounds: outside, and farther from them than its error in meters. Without an
    error it is taken to be 15; an error below 0 says that there is no place."""
    error = 15 if error is None else error
    if not FENCE or not (abs(y) <= 90 and abs(x) <= 180 and error >= 0):
        return False
    bend = 1 - 0.00669438 * math.sin(math.radians(y)) ** 2  # meters a degree, on the ellipsoid WGS 84
    east, north = 111319.491 * math.cos(math.radians(y)) / bend ** 0.5, 110574.276 / bend ** 1.5
    for rings in FENCE:
        inside = False
        for ring in rings:
            ax = math.remainder(ring[0][0] - x, 360) * east  # the ends of edges as seen from the place
            for a, b in zip(ring, ring[1:]):
                ay, by = (a[1] - y) * north, (b[1] - y) * north
                dx, dy = math.remainder(b[0] - a[0], 360) * east, by - ay
                inside ^= (ay > 0) != (by > 0) and ax - ay * dx / dy > 0
                square = dx * dx + dy * dy
                share = min(max(-(ax * dx + ay * dy) / square, 0), 1) if square > 0 else 0
                if math.hypot(ax + share * dx, ay + share * dy) <= max(error, 0.01):  # a centimeter is for rounding
                    return False
                ax += dx
        if inside:
            return False
    return True

def answer(path, place=None):
    """place: (longitude, latitude) or (longitude, latitude, error in meters), if known."""
    if place and is_outside(*place):
        return "Not on Campus"
    photo = ImageOps.exif_transpose(Image.open(path)).convert("RGB")  # upright
    # the whole photo is stretched to the square
    image = np.asarray(photo.resize((side, side), Image.Resampling.BILINEAR))[None]
    p = session.run(["probabilities"], {"image": image})[0][0].astype(float)
    ranked = sorted(range(1, len(p)), key=lambda i: -p[i])
    if not ranked or math.log(max(p[ranked[0]], 1e-300) / max(p[0], 1e-300)) < decision["least_odds"]:
        return "Not a Campus Building"
    shares = [p[i] / max(sum(p[1:]), 1e-300) for i in ranked]
    names = [RECORDS.get(labels[i], {}).get("name", labels[i]) for i in ranked]
    if shares[0] >= decision["least_share"]:
        return f"{names[0]} ({p[ranked[0]]:.1%})"
    if sum(shares[:2]) >= decision["least_share"]:
        return f"Unsure: {names[0]} or {names[1]}"
    return "Not a Campus Building"

if __name__ == "__main__":
    print(answer(sys.argv[1]))
