/** Combines an image's probabilities with position and heading, using place.json. */
export class Places {
  constructor(table) {
    this.c = table.constants;
    this.looks = table.looks;
    this.buildings = table.buildings; // with training photos first
    this.trained = this.buildings.filter((b) => b.trained).length;
    for (const b of this.buildings) // position is null if unknown
      b.edges = b.rings.flatMap((ring) => edges(ring.map((corner) => this.plane(b.position, corner))));
  }

  /**
   * Returns the answer for a photo with probabilities p, or null if the position is invalid.
   * accuracy: position error in meters; negative if there is no position. heading: degrees clockwise from true north;
   * convert magnetic headings first. view: the horizontal field of view in degrees. NaN and null mean unknown.
   */
  answer(p, decision, { longitude, latitude, accuracy }, heading = null, view = null) {
    [heading, view] = [heading, view].map((x) => (Number.isFinite(x) ? x : null));
    const error = Math.min(accuracy ?? this.c.usual_error_m, this.c.most_error_m), n = this.trained;
    if (!(isPlace(latitude, longitude) && error >= 0)) return null;
    const place = { at: [longitude, latitude], error }, [nothing, ...rest] = p;
    let picture = { nothing, seen: rest.slice(0, n), unknown: sum(rest.slice(n)) };
    const near = [...this.buildings.keys()].filter((i) =>
      i < n || (this.isNear(this.buildings[i], place, this.c.candidate_reach_m + error)
        && !this.isOutOfView(this.buildings[i], place, heading, view)));
    const shifts = this.shifts(near, place, heading, view);
    const { prior, known } = this.prior(picture, near, heading);
    if (prior > 0 && picture.unknown < 1) { // buildings without training photos replace the label for unknown buildings
      const rest = 1 - picture.unknown;
      picture = { nothing: picture.nothing / rest, seen: picture.seen.map((x) => x / rest), unknown: 0 };
    }
    const behind = near.filter((i) => this.isBehind(this.buildings[i], place, heading));
    return this.judge(picture, known, this.fuse(picture, prior, near, shifts), shifts, behind, decision);
  }

  /** Converts a place to meters east and north in a plane. */
  plane([x, y], [longitude, latitude]) {
    return [turn(longitude - x) * Math.cos(radians(y)) * this.c.meters_per_degree, (latitude - y) * this.c.meters_per_degree];
  }

  /** Whether a building's bounding circle is within a distance. */
  isNear(building, place, meters) {
    return building.position && Math.hypot(...this.plane(place.at, building.position)) - building.radius_m <= meters;
  }

  /** The log density of a building's photos at a place, relative to the density of all photos. */
  density(building, place) {
    const error2 = place.error ** 2, share = this.c.broad_share;
    let total = 0, count = building.viewpoints.length;
    for (const [latitude, longitude, error] of building.viewpoints) {
      const [east, north] = this.plane(place.at, [longitude / 1e6, latitude / 1e6]);
      total += gaussian(east ** 2 + north ** 2, error2 + error ** 2 + this.c.bandwidth_m ** 2);
    }
    if (building.position) {
      const rings = building.is_point ? [[building.position, building.position]] : building.rings;
      const around = gaussian(distance(place.at, rings) ** 2, error2 + this.c.building_reach_m ** 2);
      [total, count] = [total + this.c.catalog_count * around, count + this.c.catalog_count];
    }
    const broad = gaussian(0, error2 + this.c.broad_reach_m ** 2);
    return count > 0 ? Math.log(share + ((1 - share) * total) / count / broad) : 0;
  }

  /**
   * The index of the nearest outline in each direction from a point, and the index of an outline that encloses the
   * point.
   */
  horizon(seen, place, x, y) {
    const directions = this.c.directions, step = 360 / directions;
    const numbers = Array(directions).fill(null), distances = Array(directions).fill(this.c.sight_m);
    let around = null;
    for (const number of seen) {
      const { position, edges } = this.buildings[number], middle = this.plane(place.at, position);
      let turned = 0;
      for (const [a, b] of edges) {
        const ax = a[0] + middle[0] - x, ay = a[1] + middle[1] - y, dx = b[0] - a[0], dy = b[1] - a[1];
        const start = degrees(Math.atan2(ax, ay)), wide = turn(degrees(Math.atan2(ax + dx, ay + dy)) - start);
        turned += wide;
        const last = Math.floor((start + Math.max(wide, 0)) / step - 0.5);
        for (let i = Math.ceil((start + Math.min(wide, 0)) / step - 0.5); i <= last; i++) {
          const ray = radians((i + 0.5) * step), at = (i + 2 * directions) % directions;
          const meters = (ax * dy - ay * dx) / (Math.sin(ray) * dy - Math.cos(ray) * dx);
          if (meters >= 0 && meters < distances[at]) [distances[at], numbers[at]] = [meters, number];
        }
      }
      if (Math.round(Math.abs(turned) / 360) % 2 === 1) around = number;
    }
    return { numbers, around };
  }

  /** The weight of each direction: highest in the middle of the photo, or equal if the heading is unknown. */
  weights(heading, view) {
    const aim = (view ?? this.c.level_view_deg) * this.c.aim_share, { directions, uniform_share } = this.c;
    const variance = heading === null ? Infinity : this.c.compass_error_deg ** 2 + aim ** 2;
    const weights = Array.from({ length: directions }, (_, i) =>
      Math.exp(-(turn(((i + 0.5) * 360) / directions - (heading ?? 0)) ** 2) / (2 * variance)));
    const total = sum(weights);
    return weights.map((weight) => ((1 - uniform_share) * weight) / total + uniform_share / directions);
  }

  /**
   * The fraction of the view that each building fills: the mean over sample points within the error that are not inside
   * a building.
   */
  shares(place, heading, view) {
    const error = Math.min(Math.max(place.error, this.c.least_sight_error_m), this.c.most_sight_error_m);
    const seen = [...this.buildings.keys()].filter((i) => this.isNear(this.buildings[i], place, this.c.sight_m + error));
    const shares = this.buildings.map(() => 0), inside = [...shares], weights = this.weights(heading, view);
    let views = 0;
    for (const [x, y] of this.looks) {
      const { numbers, around } = this.horizon(seen, place, x * error, y * error);
      if (around !== null) inside[around]++;
      else numbers.forEach((number, i) => { if (number !== null) shares[number] += weights[i]; });
      views += around === null;
    }
    if (views === 0) shares[inside.indexOf(Math.max(...inside))] = views = 1;
    return shares.map((share) => share / views);
  }

  /** Terms to add to the log probabilities of nearby buildings, 0 or less. */
  shifts(near, place, heading, view) {
    const shares = this.shares(place, heading, view), { least_view_share: least, usual_view_share: usual } = this.c;
    const trust = (heading === null ? this.c.view_without_heading : 1) / (1 + (place.error / this.c.half_view_error_m) ** 4);
    const terms = near.map((i) => {
      const building = this.buildings[i];
      const seen = building.position ? trust * Math.log((shares[i] + least) / (usual + least)) : 0;
      return this.c.position_weight * this.density(building, place) + this.c.heading_weight * seen;
    });
    const best = Math.max(0, ...terms);
    return terms.map((term) => term - best);
  }

  /** The image's log likelihood ratio for a building without training photos. */
  doubt({ seen, unknown }) {
    const log = (x) => Math.log(Math.max(x, this.c.least_probability)), total = sum(seen), most = this.c.most_doubt;
    const share = Math.max(0, ...seen) / (total || 1), odds = log(share) - log(1 - share);
    const byShare = most - this.c.doubt_slope * Math.log1p(Math.exp(odds - this.c.doubt_bend));
    return Math.max(byShare, this.c.least_doubt, Math.min(log(unknown) - log(total), most));
  }

  /**
   * The prior of each nearby building without training photos, and the probability that the building shown has training
   * photos.
   */
  prior(picture, near, heading) {
    if (near.length === this.trained) return { prior: 0, known: 1 };
    const odds = this.c.unknown_visits / (1 - this.c.unknown_visits), doubt = Math.exp(this.doubt(picture));
    const each = Math.min(1, (odds * this.trained) / (this.buildings.length - this.trained));
    return { prior: each * doubt * (heading === null ? this.c.prior_without_heading : 1), known: 1 / (1 + odds * doubt) };
  }

  /** The probability of no building, and the probabilities of nearby buildings except unknown ones, highest first. */
  fuse(picture, prior, near, shifts) {
    const seen = sum(picture.seen), nothing = picture.nothing + picture.unknown;
    const fused = near.map((i, k) => (i < this.trained ? picture.seen[i] : seen * prior) * Math.exp(shifts[k]));
    const total = sum(fused), scale = total > seen ? seen / total : 1; // keeps the probability of "no building"
    const whole = picture.nothing + scale * total || 1;
    const ranked = near.map((number, k) => ({ number, probability: (scale * fused[k]) / whole }));
    return { nothing: nothing / whole, ranked: ranked.sort((a, b) => b.probability - a.probability) };
  }

  /** Whether, from all positions within the error, the whole building is more than 90 degrees off the heading. */
  isBehind({ position, edges }, place, heading) {
    if (heading === null || !position) return false;
    const [east, north] = this.plane(place.at, position), angle = radians(heading);
    const ahead = edges.map(([[x, y]]) => Math.sin(angle) * (x + east) + Math.cos(angle) * (y + north));
    return Math.max(...ahead) < -place.error;
  }

  /** Whether the whole building is clearly outside the field of view, in spite of the errors of position and compass. */
  isOutOfView(building, place, heading, view) {
    const tilt = Math.max(0, 90 - (view ?? this.c.level_view_deg) / 2 - this.c.view_margin_deg);
    return heading !== null && [-tilt, 0, tilt].some((turn) => this.isBehind(building, place, heading + turn));
  }

  /** The verdict, its one or two buildings, and the probabilities of all nearby buildings. */
  judge({ nothing, seen, unknown }, known, fused, shifts, behind, { least_odds, least_share }) {
    const candidates = fused.ranked.map(({ number, probability }) => ({ ...this.buildings[number], number, probability }));
    const result = (verdict, ...buildings) => ({ verdict, buildings, candidates, probability: buildings[0]?.probability });
    const isRejected = (best, nothing) => best <= 0 || (nothing > 0 && Math.log(best / nothing) < least_odds);
    const says = seen.indexOf(Math.max(...seen)), [first, second] = candidates, none = nothing + unknown;
    if (!first || isRejected(first.probability, fused.nothing) || (seen.length && isRejected(seen[says], none)))
      return result("not_a_campus_building");
    const isSure = seen.length && (seen[says] / sum(seen)) * known >= this.c.contradicted_share;
    const said = isSure ? candidates.find(({ number }) => number === says) : first;
    const others = candidates.filter((candidate) => candidate !== said);
    const ahead = others.find(({ number }) => !behind.includes(number)), other = ahead ?? others[0];
    const isFar = isSure && shifts[says] <= this.c.contradicted_shift;
    if (said.trained && other && (isFar || (ahead && behind.includes(said.number)))) return result("unsure", said, other);
    const all = sum(candidates.map(({ probability }) => probability)), share = first.probability / all;
    if (share >= least_share) return result(first.trained ? "building" : "mapped_building", first);
    return share + (second?.probability ?? 0) / all >= least_share ? result("unsure", first, second) : result("not_a_campus_building");
  }
}

/** Whether the coordinates are valid. Rejects null, which would count as 0. */
export function isPlace(latitude, longitude) {
  return Math.abs(latitude ?? NaN) <= 90 && Math.abs(longitude ?? NaN) <= 180;
}

/**
 * The way from a place in meters east and north on the WGS 84 ellipsoid. `wide` is the difference in longitude in
 * degrees.
 */
function way([, y], wide, latitude) {
  const middle = radians((latitude + y) / 2), bend = 1 - 0.00669437999014 * Math.sin(middle) ** 2;
  const east = (wide * 111319.49079327 * Math.cos(middle)) / bend ** 0.5;
  return [east, ((latitude - y) * 110574.27582159) / bend ** 1.5];
}

/**
 * The distance from [longitude, latitude] to an area's nearest point in meters, 0 inside. Supports areas across the
 * 180th meridian.
 */
export function distance(place, rings) {
  let inside = false, least = Infinity;
  // Edges are straight in degrees, so the same scale applies to the whole edge.
  const [east, north] = way(place, 1e-6, place[1] + 1e-6);
  for (const ring of rings) {
    let start = turn(ring[0][0] - place[0]);
    for (const [a, b] of edges(ring)) {
      const wide = turn(b[0] - a[0]), high = b[1] - a[1];
      const ax = start * east, ay = (a[1] - place[1]) * north, dx = wide * east, dy = high * north;
      if (a[1] > place[1] !== b[1] > place[1] && ax - (ay * dx) / dy > 0) inside = !inside;
      const share = Math.min(Math.max(-(ax * dx + ay * dy) / (dx * dx + dy * dy || 1), 0), 1);
      least = Math.min(least, Math.hypot(...way(place, start + share * wide, a[1] + share * high)));
      start += wide;
    }
  }
  return inside ? 0 : least;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const radians = (degrees) => (degrees * Math.PI) / 180, degrees = (radians) => (radians * 180) / Math.PI;
const turn = (degrees) => degrees - 360 * Math.round(degrees / 360); // -180 to 180
const gaussian = (square, variance) => Math.exp(-square / (2 * variance)) / variance;
const edges = (ring) => ring.slice(1).map((end, i) => [ring[i], end]);
