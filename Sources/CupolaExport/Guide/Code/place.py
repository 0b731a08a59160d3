"""Combines an image's probabilities with position and heading, using place.json."""
import json, math
from types import SimpleNamespace as Parts

class Places:
    def __init__(self, path="place.json"):
        table = json.load(open(path, encoding="utf-8"))
        self.c, self.looks = Parts(**table["constants"]), table["looks"]
        self.buildings = [Parts(**building) for building in table["buildings"]]  # with training photos first
        self.trained = sum(b.trained for b in self.buildings)
        for b in self.buildings:  # position is None if unknown
            b.center = b.position and Parts(longitude=b.position[0], latitude=b.position[1])
            b.edges = [(*self.plane(b.center, *a), *self.plane(b.center, *c)) for ring in b.rings for a, c in zip(ring, ring[1:])]

    def answer(self, p, decision, longitude, latitude, error=None, heading=None, view=None):
        """Returns the answer for a photo with probabilities p, or None if the position is invalid.
        error: position error in meters; negative if there is no position. heading: degrees clockwise from true north;
        convert magnetic headings first. view: the horizontal field of view in degrees. NaN and None mean unknown."""
        heading, view = (x if x is not None and math.isfinite(x) else None for x in (heading, view))
        error = min(self.c.usual_error_m if error is None else error, self.c.most_error_m)
        if not (abs(latitude) <= 90 and abs(longitude) <= 180 and error >= 0):
            return None
        place, n = Parts(longitude=longitude, latitude=latitude, error=error), self.trained
        picture = Parts(nothing=p[0], seen=list(p[1:n + 1]), unknown=sum(p[n + 1:]))
        near = [i for i, b in enumerate(self.buildings) if b.trained or (
            self.is_near(b, place, self.c.candidate_reach_m + error) and not self.is_out_of_view(b, place, heading, view))]
        shifts = self.shifts(near, place, heading, view)
        prior, known = self.prior(picture, near, heading)
        if prior and picture.unknown < 1:  # buildings without training photos replace the label for unknown buildings
            rest = 1 - picture.unknown
            picture = Parts(nothing=picture.nothing / rest, seen=[x / rest for x in picture.seen], unknown=0)
        nothing, fused = self.fuse(picture, prior, shifts)
        behind = {i for i in near if self.is_behind(self.buildings[i], place, heading)}
        return self.judge(picture, known, nothing, fused, shifts, behind, decision)

    def plane(self, place, longitude, latitude):
        """Converts a place to meters east and north in a plane."""
        east = math.remainder(longitude - place.longitude, 360) * math.cos(math.radians(place.latitude))
        return east * self.c.meters_per_degree, (latitude - place.latitude) * self.c.meters_per_degree

    def is_near(self, building, place, meters):
        """Whether a building's bounding circle is within a distance."""
        return building.center and math.hypot(*self.plane(place, *building.position)) - building.radius_m <= meters

    def density(self, building, place):
        """The log density of a building's photos at a place, relative to the density of all photos."""
        error2, share = place.error ** 2, self.c.broad_share
        total, count = 0, len(building.viewpoints)
        for latitude, longitude, error in building.viewpoints:
            east, north = self.plane(place, longitude / 1e6, latitude / 1e6)
            total += gaussian(east ** 2 + north ** 2, error2 + error ** 2 + self.c.bandwidth_m ** 2)
        if building.center:
            rings = [[building.position] * 2] if building.is_point else building.rings
            around = gaussian(distance(place, rings) ** 2, error2 + self.c.building_reach_m ** 2)
            total, count = total + self.c.catalog_count * around, count + self.c.catalog_count
        broad = gaussian(0, error2 + self.c.broad_reach_m ** 2)
        return math.log(share + (1 - share) * total / count / broad) if count else 0

    def horizon(self, seen, place, x, y):
        """The index of the nearest outline in each direction from a point, and the index of an outline that encloses
        the point."""
        step = 360 / self.c.directions
        numbers, distances, around = [None] * self.c.directions, [self.c.sight_m] * self.c.directions, None
        for number in seen:
            (east, north), turned = self.plane(place, *self.buildings[number].position), 0
            for x1, y1, x2, y2 in self.buildings[number].edges:
                ax, ay, dx, dy = x1 + east - x, y1 + north - y, x2 - x1, y2 - y1
                start = math.degrees(math.atan2(ax, ay))
                turn = math.remainder(math.degrees(math.atan2(ax + dx, ay + dy)) - start, 360)
                turned += turn
                low, high = math.ceil((start + min(turn, 0)) / step - 0.5), math.floor((start + max(turn, 0)) / step - 0.5)
                for i in range(low, high + 1):
                    ray, i = math.radians((i + 0.5) * step), i % self.c.directions
                    across = math.sin(ray) * dy - math.cos(ray) * dx
                    meters = (ax * dy - ay * dx) / (across or math.nan)
                    if 0 <= meters < distances[i]:
                        distances[i], numbers[i] = meters, number
            if round(abs(turned) / 360) % 2 == 1:
                around = number
        return numbers, around

    def weights(self, heading, view):
        """The weight of each direction: highest in the middle of the photo, or equal if the heading is unknown."""
        aim = (self.c.level_view_deg if view is None else view) * self.c.aim_share
        variance = math.inf if heading is None else self.c.compass_error_deg ** 2 + aim ** 2
        middles = [(i + 0.5) * 360 / self.c.directions for i in range(self.c.directions)]
        weights = [math.exp(-math.remainder(x - (heading or 0), 360) ** 2 / (2 * variance)) for x in middles]
        total, uniform = sum(weights), self.c.uniform_share
        return [(1 - uniform) * weight / total + uniform / self.c.directions for weight in weights]

    def shares(self, place, heading, view):
        """The fraction of the view that each building fills: the mean over sample points within the error that are not
        inside a building."""
        error = min(max(place.error, self.c.least_sight_error_m), self.c.most_sight_error_m)
        seen = [i for i, b in enumerate(self.buildings) if self.is_near(b, place, self.c.sight_m + error)]
        shares, inside, views, weights = [0] * len(self.buildings), [0] * len(self.buildings), 0, self.weights(heading, view)
        for x, y in self.looks:
            numbers, around = self.horizon(seen, place, x * error, y * error)
            if around is not None:
                inside[around] += 1
                continue
            views += 1
            for number, weight in zip(numbers, weights):
                if number is not None:
                    shares[number] += weight
        if views == 0:
            shares[inside.index(max(inside))] = views = 1
        return [share / views for share in shares]

    def shifts(self, near, place, heading, view):
        """Terms to add to the log probabilities of nearby buildings, 0 or less."""
        shares, least, terms = self.shares(place, heading, view), self.c.least_view_share, {}
        trust = (self.c.view_without_heading if heading is None else 1) / (1 + (place.error / self.c.half_view_error_m) ** 4)
        for i in near:
            seen = trust * math.log((shares[i] + least) / (self.c.usual_view_share + least)) if self.buildings[i].center else 0
            terms[i] = self.c.position_weight * self.density(self.buildings[i], place) + self.c.heading_weight * seen
        best = max(0, *terms.values(), 0)
        return {i: term - best for i, term in terms.items()}

    def doubt(self, picture):
        """The image's log likelihood ratio for a building without training photos."""
        def log(x): return math.log(max(x, self.c.least_probability))
        total, most = sum(picture.seen), self.c.most_doubt
        share = max(picture.seen, default=0) / (total or 1)
        by_share = most - self.c.doubt_slope * math.log1p(math.exp(log(share) - log(1 - share) - self.c.doubt_bend))
        return max(by_share, self.c.least_doubt, min(log(picture.unknown) - log(total), most))

    def prior(self, picture, near, heading):
        """The prior of each nearby building without training photos, relative to all other buildings together, and the
        probability that the building shown has training photos."""
        if len(near) == self.trained:
            return 0, 1
        odds, doubt = self.c.unknown_visits / (1 - self.c.unknown_visits), math.exp(self.doubt(picture))
        each = min(1, odds * self.trained / (len(self.buildings) - self.trained))
        return each * doubt * (self.c.prior_without_heading if heading is None else 1), 1 / (1 + odds * doubt)

    def fuse(self, picture, prior, shifts):
        """The probability of no building, and the probabilities of nearby buildings except unknown ones, highest
        first."""
        seen = sum(picture.seen)
        fused = {i: (picture.seen[i] if i < self.trained else seen * prior) * math.exp(shifts[i]) for i in shifts}
        total = sum(fused.values())
        scale = seen / total if total > seen else 1  # keeps the probability of "no building"
        whole = picture.nothing + scale * total or 1
        return (picture.nothing + picture.unknown) / whole, {i: scale * fused[i] / whole for i in sorted(fused, key=lambda i: -fused[i])}

    def is_behind(self, building, place, heading):
        """Whether, from all positions within the error, the whole building is more than 90 degrees off the heading."""
        if heading is None or not building.center:
            return False
        (east, north), angle = self.plane(place, *building.position), math.radians(heading)
        return max(math.sin(angle) * (x + east) + math.cos(angle) * (y + north) for x, y, *_ in building.edges) < -place.error

    def is_out_of_view(self, building, place, heading, view):
        """Whether the whole building is clearly outside the field of view, in spite of the errors of position and
        compass."""
        tilt = max(0, 90 - (self.c.level_view_deg if view is None else view) / 2 - self.c.view_margin_deg)
        return heading is not None and any(self.is_behind(building, place, heading + turn) for turn in (-tilt, 0, tilt))

    def judge(self, picture, known, nothing, fused, shifts, behind, decision):
        """The verdict, its one or two buildings, and the probabilities of all nearby buildings."""
        def result(verdict, *numbers):
            named, candidates = [self.buildings[i] for i in numbers], [(self.buildings[i], p) for i, p in fused.items()]
            return Parts(verdict=verdict, buildings=named, candidates=candidates, probability=fused[numbers[0]] if numbers else 0)
        def is_rejected(best, nothing):
            return best <= 0 or nothing > 0 and math.log(best / nothing) < decision["least_odds"]
        ranked, seen, least = list(fused), picture.seen, decision["least_share"]
        says = max(range(len(seen)), key=lambda i: seen[i], default=None)
        if not ranked or is_rejected(fused[ranked[0]], nothing) or seen and is_rejected(seen[says], picture.nothing + picture.unknown):
            return result("not_a_campus_building")
        is_sure = seen and seen[says] / sum(seen) * known >= self.c.contradicted_share
        said = says if is_sure else ranked[0]
        others = sorted((i for i in ranked if i != said), key=lambda i: i in behind)  # in front of the camera first
        is_far = is_sure and shifts[said] <= self.c.contradicted_shift
        if said < self.trained and others and (is_far or said in behind and others[0] not in behind):
            return result("unsure", said, others[0])
        shares = [fused[i] / sum(fused.values()) for i in ranked[:2]]
        if shares[0] >= least:
            return result("building" if ranked[0] < self.trained else "mapped_building", ranked[0])
        return result("unsure", *ranked[:2]) if sum(shares) >= least else result("not_a_campus_building")

def way(place, turn, latitude):
    """The way from a place in meters east and north on the WGS 84 ellipsoid. `turn` is the difference in longitude in
    degrees."""
    middle = math.radians((latitude + place.latitude) / 2)
    bend = 1 - 0.00669437999014 * math.sin(middle) ** 2
    east = turn * 111319.49079327 * math.cos(middle) / bend ** 0.5
    return east, (latitude - place.latitude) * 110574.27582159 / bend ** 1.5

def distance(place, rings):
    """The distance to an area's nearest point in meters, 0 inside. Supports areas across the 180th meridian."""
    inside, least = False, math.inf
    # Edges are straight in degrees, so the same scale applies to the whole edge.
    east, north = way(place, 1e-6, place.latitude + 1e-6)
    for ring in rings:
        turn = math.remainder(ring[0][0] - place.longitude, 360)
        for a, b in zip(ring, ring[1:]):
            wide, high = math.remainder(b[0] - a[0], 360), b[1] - a[1]
            ax, ay, dx, dy = turn * east, (a[1] - place.latitude) * north, wide * east, high * north
            inside ^= (a[1] > place.latitude) != (b[1] > place.latitude) and ax - ay * dx / dy > 0
            share = min(max(-(ax * dx + ay * dy) / ((dx * dx + dy * dy) or 1), 0), 1)
            least = min(least, math.hypot(*way(place, turn + share * wide, a[1] + share * high)))
            turn += wide
    return 0 if inside else least

def gaussian(square, variance):
    return math.exp(-square / (2 * variance)) / variance
