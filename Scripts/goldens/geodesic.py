"""Computes shortest paths on the WGS 84 ellipsoid. Writes CupolaCampusTests/Fixtures/geodesic.json.

Distances and bearings must have the documented accuracy. Antipodal points, the poles, the equator and distances of millimeters are
difficult cases. The reference is GeographicLib, by the author of the algorithm, which has errors of a few nanometers. For distances below
10 m, this is too inaccurate; the script then computes the chord in space with 40 digits, and corrects it for the curvature.

    [kind, latitude, longitude, latitude, longitude, meters, azimuth, final azimuth]

If antipodal points have several shortest paths, the azimuths are null.
"""
import json
import math
import random

from geographiclib.geodesic import Geodesic
from mpmath import mp, mpf

from goldens.fixtures import TESTS

mp.dps = 40
EARTH = Geodesic.WGS84
RANDOM = random.Random(2013)
cases = []


def chord(a, b):
    """Return the distance between nearby points, computed with 40 digits."""
    radius, flattening = mpf(6378137), 1 / mpf("298.257223563")
    e2 = flattening * (2 - flattening)

    def point(latitude, longitude):
        latitude, longitude = mp.radians(mpf(latitude)), mp.radians(mpf(longitude))
        normal = radius / mp.sqrt(1 - e2 * mp.sin(latitude) ** 2)
        return mp.matrix([normal * mp.cos(latitude) * mp.cos(longitude), normal * mp.cos(latitude) * mp.sin(longitude),
                          normal * (1 - e2) * mp.sin(latitude)])

    length = mp.norm(point(*a) - point(*b))
    return float(length * (1 + (length / radius) ** 2 / 24))


def add(kind, *places):
    a, b, c, d = (round(x, 12) for x in places)
    b, d = (x if -180 <= x <= 180 else (x + 540) % 360 - 180 for x in (b, d))
    a, c = max(-90.0, min(90.0, a)), max(-90.0, min(90.0, c))
    way = EARTH.Inverse(a, b, c, d)
    meters = chord((a, b), (c, d)) if way["s12"] < 10 else way["s12"]
    meters = 0.0 if meters < 1e-30 else meters  # longitudes at a pole are irrelevant, but pi has only 40 digits
    # Between the poles, and between equatorially mirrored points on opposite meridians, there are several shortest paths.
    azimuths = [way["azi1"] % 360, way["azi2"] % 360]
    if a == -c and (abs(d - b) > 179 or abs(a) == 90) or meters == 0:
        azimuths = [None, None]
    cases.append([kind, a, b, c, d, meters, *azimuths])


def latitude():
    return math.degrees(math.asin(RANDOM.uniform(-1, 1)))


def longitude():
    return RANDOM.uniform(-180, 180)


for _ in range(150):
    add("random", latitude(), longitude(), latitude(), longitude())
for _ in range(150):
    a, b, error = latitude(), longitude(), 10 ** RANDOM.uniform(-8, 0)
    add("opposite", a, b, -a + RANDOM.uniform(-error, error), b + 180 + RANDOM.uniform(-error, error))
for _ in range(150):
    a, b = latitude(), longitude()
    end = EARTH.Direct(a, b, RANDOM.uniform(0, 360), 10 ** RANDOM.uniform(-4, 4))
    add("near", a, b, end["lat2"], end["lon2"])
for _ in range(100):
    ends = [RANDOM.choice([-1, 1]) * (90 - 10 ** RANDOM.uniform(-9, 0)) for _ in range(2)]
    add("polar", ends[0], longitude(), ends[1], longitude())
for _ in range(100):
    add("equator", RANDOM.choice([0, 1e-9, -1e-5]), longitude(), RANDOM.choice([0, -1e-9, 1e-5]), longitude())
for a in (-90, -45, 0, 90):
    for b in (-180, 0, 179.5):
        for c in (-90, -30, 0, 30.00000001):
            for d in (-179.9, 0, 1e-9, 179.5):
                add("grid", a, b, c, d)

path = TESTS / "CupolaCampusTests/Fixtures/geodesic.json"
path.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
print(f"{path.relative_to(TESTS)}: {len(cases)} paths, {path.stat().st_size} bytes")
