"""Tests positions against fences with GEOS. Writes CupolaCampusTests/Fixtures/geofence.json.

Cupola must classify positions as inside or outside correctly, including positions on the boundary. Distances to the fence must be correct
on the ellipsoid, although edges are straight in longitude and latitude. GEOS (shapely) classifies the positions in a plane in which
longitudes continue beyond 180 degrees. The distance is the smallest GeographicLib distance to points along the edges, found with a
golden-section search. Both references use the outline of the whole campus, before it is written with overlapping parts, across the
antimeridian or around the poles.

    fences: [{name, geometry, places: [[longitude, latitude, "inside" | "boundary" | "outside", meters], ...]}]
"""
import json
import math
import random

import shapely
from geographiclib.geodesic import Geodesic
from shapely.geometry import Point, Polygon
from shapely.ops import unary_union

from goldens.fixtures import TESTS

EARTH = Geodesic.WGS84
RANDOM = random.Random(3)
GOLDEN = (math.sqrt(5) - 1) / 2


def wrapped(x):
    return x - 360 if x > 180 else x + 360 if x < -180 else x


def meters(place, edges):
    """Return the smallest distance to any edge."""
    x, y = place

    def to(edge, share):
        (ax, ay), (bx, by) = edge
        return EARTH.Inverse(y, wrapped(x), ay + share * (by - ay), wrapped(ax + share * (bx - ax)))["s12"]

    # Samples each edge in eighths, then refines the best candidates.
    eighths = sorted((to(edge, i / 8), i, number) for number, edge in enumerate(edges) for i in range(9))
    best = eighths[0][0]
    for _, i, number in eighths[:6]:
        low, high = max(0, i - 1) / 8, min(8, i + 1) / 8
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        values = to(edges[number], left), to(edges[number], right)
        for _ in range(50):
            if values[0] < values[1]:
                high, right, left = right, left, right - GOLDEN * (right - low)
                values = to(edges[number], left), values[0]
            else:
                low, left, right = left, right, left + GOLDEN * (high - left)
                values = values[1], to(edges[number], right)
        best = min(best, *values)
    return best


def edges_of(area):
    polygons = area.geoms if hasattr(area, "geoms") else [area]
    rings = [ring.coords for polygon in polygons for ring in [polygon.exterior, *polygon.interiors]]
    return [edge for ring in rings for edge in zip(ring, list(ring)[1:])]


def places(area, edges, frame, reach):
    """Return positions at most `reach` degrees of latitude from the fence, including some corners and points on edges."""
    found = []
    corners = [a for a, _ in edges]
    while len(found) < 24:
        (ax, ay), (bx, by) = RANDOM.choice(edges)
        share, kind = RANDOM.random(), len(found) % 8
        x, y = ax + share * (bx - ax), ay + share * (by - ay)
        if kind == 0:
            x, y = RANDOM.choice(corners)
        elif kind == 1:
            x, y = (ax + bx) / 2, (ay + by) / 2
        else:
            size = reach * 10 ** RANDOM.uniform(-3 if kind < 5 else -1, 0)
            turn = RANDOM.uniform(0, 2 * math.pi)
            y += size * math.cos(turn)
            x += size * math.sin(turn) / max(0.02, math.cos(math.radians(y)))
        if not (frame <= x <= frame + 360 and -90 < y < 90):
            continue
        x = round(x * 2 ** 24) / 2 ** 24 if kind > 1 else x
        point = Point(x, y)
        where = "boundary" if area.boundary.intersects(point) else "inside" if area.contains(point) else "outside"
        # Corners on the cut line are not corners of the fence.
        distance = 0.0 if where == "boundary" else meters((x, y), edges)
        found.append([wrapped(x), y, where, -distance if where == "inside" else distance])
    return found


def rings(polygon, longitude=lambda x: x):
    return [[[longitude(x), y] for x, y in ring.coords] for ring in [polygon.exterior, *polygon.interiors]]


fences = []


def add(name, area, geometry, frame=-180, reach=0.09, edges=None):
    edges = edges or edges_of(area)
    fences.append({"name": name, "geometry": geometry, "places": places(area, edges, frame, reach)})


def write(kind, coordinates):
    return {"type": kind, "coordinates": coordinates}


def star(x, y, rx, ry, count, low=0.4):
    turns = [2 * math.pi * i / count for i in range(count)]
    return [(round((x + rx * r * math.cos(t)) * 2 ** 22) / 2 ** 22, round((y + ry * r * math.sin(t)) * 2 ** 22) / 2 ** 22)
            for t in turns for r in [RANDOM.uniform(low, 1)]]


campus = Polygon(star(10, 48, 0.02, 0.01, 40), [star(10, 48, 0.004, 0.002, 9)])
add("campus with a court", campus, write("Polygon", rings(campus)))
south = Polygon(star(-70.5, -33.4, 0.03, 0.02, 200))
add("two hundred corners in the south", south, write("Polygon", rings(south)))
tiny = Polygon(star(139.7, 35.6, 0.00005, 0.00005, 12))
add("a few meters", tiny, write("Polygon", rings(tiny)), reach=0.0005)
wide = Polygon(star(25, 60, 20, 8, 9, 0.6))
add("edges of a thousand kilometers", wide, write("Polygon", rings(wide)))
arctic = Polygon(star(15, 84, 3, 0.3, 30))
add("far north", arctic, write("Polygon", rings(arctic)))
far = Polygon(star(2, 41, 0.02, 0.01, 10))
add("from afar", far, write("Polygon", rings(far)), reach=40)

left = Polygon([(10, 48), (10.02, 48), (10.02, 48.01), (10, 48.01)])
beside = Polygon([(10.02, 48.0025), (10.04, 48), (10.04, 48.01), (10.02, 48.0075)])
across = Polygon(star(10.01, 48.01, 0.008, 0.006, 14))
inner = Polygon([(10.005, 48.003), (10.007, 48.003), (10.006, 48.004)])
whole = unary_union([left, beside, across, inner])
parts = [rings(part) for part in (left, beside, across, inner)]
add("parts that overlap, share a wall and lie in each other", whole, write("MultiPolygon", parts))

date = Polygon(star(180, -16.75, 0.5, 0.3, 30), [star(180, -16.75, 0.1, 0.05, 7)])
jumping = write("Polygon", rings(date, wrapped))
add("date line, jumping", date, jumping, frame=0)
add("date line, beyond 180", date, write("Polygon", rings(date)), frame=0)
add("date line, beyond -180", date, write("Polygon", rings(date, lambda x: x - 360)), frame=0)
box = Polygon([(179.5, 65), (181, 65), (181, 66), (180.25, 65.5), (179.5, 66)])
halves = [[[[179.5, 65], [180, 65], [180, 65.66666666666667], [179.5, 66], [179.5, 65]]],
          [[[-180, 65], [-179, 65], [-179, 66], [-179.75, 65.5], [-180, 65.66666666666667], [-180, 65]]]]
add("date line, cut", box, write("MultiPolygon", halves), frame=0)

coast = [(-180 + 15 * i, -80 + 6 * math.sin(i)) for i in range(24)]
coast.append((180, coast[0][1]))
land = Polygon([*coast, (180, -90), (-180, -90)])
shore = list(zip(coast, coast[1:]))
add("round a pole, along 180", land, write("Polygon", rings(land)), edges=shore)
add("round a pole, jumping", land, write("Polygon", [[[wrapped(x + 7.5) - 7.5, y] for x, y in coast[:-1]] + [list(coast[0])]]),
    edges=shore)

path = TESTS / "CupolaCampusTests/Fixtures/geofence.json"
path.write_text("[\n" + ",\n".join(json.dumps(fence) for fence in fences) + "\n]\n")
count = sum(len(fence["places"]) for fence in fences)
print(f"{path.relative_to(TESTS)}: {len(fences)} fences, {count} places, {path.stat().st_size} bytes, "
      f"GEOS {shapely.geos_version_string}")
