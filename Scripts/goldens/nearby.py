"""Computes distances and bearings of buildings near a position. Writes CupolaCampusTests/Fixtures/nearby.json.

The nearest point of a footprint, its distance, bearing and east-north-up coordinates must be correct at all latitudes and distances.
The reference finds where GeographicLib's geodesics meet each edge at a right angle, and uses PROJ's topocentric conversion for the
coordinates. Shapely classifies positions as inside or outside.

    position      latitude, longitude
    rings         of one polygon, [longitude, latitude] as in GeoJSON
    inside        whether the position is inside the polygon
    distance      meters to the nearest point of the rings; 0 inside
    bearing       degrees clockwise from true north; null inside
    enu           meters east, north, up of the nearest point
"""
import json
import math
import random

from geographiclib.geodesic import Geodesic
from pyproj import Transformer
from scipy.optimize import brentq
from shapely.geometry import Point, Polygon

from goldens.fixtures import TESTS

EARTH = Geodesic.WGS84
RANDOM = random.Random(100)


def along(a, b, share):
    """Return a point on an edge that is straight in longitude and latitude, and the direction of the edge at this point."""
    turn, climb = (b[0] - a[0] + 540) % 360 - 180, b[1] - a[1]
    latitude = a[1] + share * climb
    sine, e2 = math.sin(math.radians(latitude)), EARTH.f * (2 - EARTH.f)
    # Meters per degree, computed from the radii of curvature along the parallel and the meridian.
    east = turn * math.cos(math.radians(latitude))
    north = climb * (1 - e2) / (1 - e2 * sine**2)
    return (latitude, a[0] + share * turn), math.degrees(math.atan2(east, north))


def nearest(latitude, longitude, ring):
    """Return the nearest point of a ring: a corner, or a point where the geodesic meets an edge at a right angle."""
    best = (math.inf, None)
    for a, b in zip(ring, ring[1:]):
        def slope(share):
            point, direction = along(a, b, share)
            return math.cos(math.radians(EARTH.Inverse(latitude, longitude, *point)["azi2"] - direction))
        shares = [0, 1]
        if slope(0) < 0 < slope(1):
            shares.append(brentq(slope, 0, 1, xtol=1e-15, rtol=1e-14))
        for share in shares:
            point, _ = along(a, b, share)
            best = min(best, (EARTH.Inverse(latitude, longitude, *point)["s12"], point))
    return best


def shape(latitude, longitude, corners, size):
    """Return a star-shaped ring around a position."""
    ring = []
    for corner in range(corners):
        end = EARTH.Direct(latitude, longitude, -360 * corner / corners, size * RANDOM.uniform(0.4, 1))
        ring.append([round(end["lon2"], 9), round(end["lat2"], 9)])
    return ring + ring[:1]


def case(latitude, longitude, rings):
    inside = Polygon(rings[0], rings[1:]).covers(Point(longitude, latitude))
    if inside:
        return {"position": [latitude, longitude], "rings": rings, "inside": True, "distance": 0, "bearing": None,
                "enu": [0, 0, 0]}
    meters, (y, x) = min(nearest(latitude, longitude, ring) for ring in rings)
    frame = Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=WGS84 "
        f"+step +proj=topocentric +ellps=WGS84 +lon_0={longitude} +lat_0={latitude} +h_0=0")
    return {"position": [latitude, longitude], "rings": rings, "inside": False, "distance": meters,
            "bearing": EARTH.Inverse(latitude, longitude, y, x)["azi1"] % 360, "enu": list(frame.transform(x, y, 0))}


cases = []
for latitude in (0.0005, 48.3, -33.9, 69.65, -77.85, 88.0):
    for meters in (0.5, 8, 60, 100, 900, 25_000):
        for _ in range(4):
            longitude = round(RANDOM.uniform(-179, 179), 6)
            place = EARTH.Direct(latitude, longitude, RANDOM.uniform(0, 360), meters + 40)
            rings = [shape(place["lat2"], place["lon2"], RANDOM.randint(3, 9), 45)]
            cases.append(case(latitude, longitude, rings))
# Positions in and around a courtyard.
for _ in range(24):
    latitude, longitude = 52.2, 0.12
    rings = [shape(latitude, longitude, 8, 80), shape(latitude, longitude, 5, 30)[::-1]]
    place = EARTH.Direct(latitude, longitude, RANDOM.uniform(0, 360), RANDOM.uniform(0, 100))
    cases.append(case(round(place["lat2"], 9), round(place["lon2"], 9), rings))

path = TESTS / "CupolaCampusTests/Fixtures/nearby.json"
path.write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
print(f"{path.relative_to(TESTS)}: {len(cases)} cases, {sum(c['inside'] for c in cases)} inside, {path.stat().st_size} bytes")
