#if CUPOLA_PLACES > 0

/* The columns of place_parts. Those of place_circles are longitude, latitude and radius in meters. */
enum { IS_KNOWN, IS_POINT, EDGE, EDGE_END, VIEWPOINT, VIEWPOINT_END };

struct picture {
  double nothing, unknown, all, seen[CUPOLA_PLACES];
  double known; /* the probability that the building has training photos */
};

static double square(double value) { return value * value; }

static double gaussian(double distance2, double variance) {
  return exp(-distance2 / (2 * variance)) / variance;
}

/* Converts a place (longitude and latitude) to meters east and north in a plane. */
static struct way plane(const double *place, const double *to) {
  const double scale = CUPOLA_PLACE_METERS_PER_DEGREE;
  const double east = remainder(to[0] - place[0], 360) * cos(place[1] * RADIANS) * scale;
  return (struct way){east, (to[1] - place[1]) * scale};
}

/* The distance to a building's nearest point in meters, 0 inside. */
static double distance(int b, const double *place) {
  const double *middle = place_circles[b];
  const double there = remainder(middle[0] - place[0], 360);
  const struct way center = way(place[1], there, middle[1] - place[1]);
  const struct way here = degree(place[1]);
  int is_inside = 0;
  double least = place_parts[b][IS_POINT] ? hypot(center.east, center.north) : INFINITY;
  for (int i = place_parts[b][EDGE]; i < place_parts[b][EDGE_END] && !place_parts[b][IS_POINT]; i++) {
    const double *edge = place_edges[i], wide = remainder(edge[2] - edge[0], 360), high = edge[3] - edge[1];
    const double turn = there + remainder(edge[0] - middle[0], 360), rise = edge[1] - place[1];
    if ((rise > 0) != (edge[3] > place[1]) && turn - rise * wide / high > 0) is_inside ^= 1;
    const double share = nearest_share(here, turn, rise, wide, high);
    const struct way foot = way(place[1], turn + share * wide, rise + share * high);
    least = fmin(least, hypot(foot.east, foot.north));
  }
  return is_inside ? 0 : least;
}

/* Whether a building's bounding circle is within a distance. */
static int is_within(int b, const double *place, double meters) {
  const struct way way = plane(place, place_circles[b]);
  return place_parts[b][IS_KNOWN] && hypot(way.east, way.north) - place_circles[b][2] <= meters;
}

/* Whether, from all positions within the error, the whole building is more than 90 degrees off a
   heading. */
static int is_behind(int b, const struct cupola_place *at, double heading) {
  const double place[2] = {at->longitude, at->latitude}, angle = heading * RADIANS;
  const struct way middle = plane(place, place_circles[b]);
  double ahead = isnan(heading) || !place_parts[b][IS_KNOWN] ? INFINITY : -INFINITY;
  for (int i = place_parts[b][EDGE]; i < place_parts[b][EDGE_END]; i++) {
    const struct way way = plane(place_circles[b], place_edges[i]);
    ahead = fmax(ahead, sin(angle) * (way.east + middle.east) + cos(angle) * (way.north + middle.north));
  }
  return ahead < -at->error;
}

/* Whether the whole building is clearly outside the field of view, in spite of the errors of position
   and compass. */
static int is_out_of_view(int b, const struct cupola_place *at) {
  const double view = isnan(at->view) ? CUPOLA_PLACE_LEVEL_VIEW_DEG : at->view;
  const double tilt = fmax(0, 90 - view / 2 - CUPOLA_PLACE_VIEW_MARGIN_DEG);
  for (int turn = -1; turn <= 1; turn++) {
    if (is_behind(b, at, at->heading + turn * tilt)) return 1;
  }
  return 0;
}

/* Whether the photo can show a building: it has training photos, or is nearby and in view. */
static int is_candidate(int b, const struct cupola_place *at, const double *place) {
  return b < CUPOLA_BUILDINGS
         || (is_within(b, place, CUPOLA_PLACE_CANDIDATE_REACH_M + at->error) && !is_out_of_view(b, at));
}

/* The log density of a building's photos at a place, relative to the density of all photos. */
static double density(int b, const double *place, double error) {
  double total = 0, count = place_parts[b][VIEWPOINT_END] - place_parts[b][VIEWPOINT];
  for (int i = place_parts[b][VIEWPOINT]; i < place_parts[b][VIEWPOINT_END]; i++) {
    const double point[2] = {place_viewpoints[i][1] / 1e6, place_viewpoints[i][0] / 1e6};
    const struct way way = plane(place, point);
    const double errors = square(error) + square(place_viewpoints[i][2]);
    total += gaussian(square(way.east) + square(way.north), errors + square(CUPOLA_PLACE_BANDWIDTH_M));
  }
  if (place_parts[b][IS_KNOWN]) {
    const double variance = square(error) + square(CUPOLA_PLACE_BUILDING_REACH_M);
    total += CUPOLA_PLACE_CATALOG_COUNT * gaussian(square(distance(b, place)), variance);
    count += CUPOLA_PLACE_CATALOG_COUNT;
  }
  const double broad = gaussian(0, square(error) + square(CUPOLA_PLACE_BROAD_REACH_M)), share = CUPOLA_PLACE_BROAD_SHARE;
  return count > 0 ? log(share + (1 - share) * total / count / broad) : 0;
}

/* Adds a building to the view from point (x, y). Returns whether the building encloses the point. */
static int look(int number, const double *place, double x, double y, int *numbers, double *distances) {
  const double *center = place_circles[number];
  const struct way middle = plane(place, center);
  const double step = 360.0 / CUPOLA_PLACE_DIRECTIONS;
  double turned = 0;
  for (int i = place_parts[number][EDGE]; i < place_parts[number][EDGE_END]; i++) {
    const struct way a = plane(center, place_edges[i]), b = plane(center, place_edges[i] + 2);
    const double ax = a.east + middle.east - x, ay = a.north + middle.north - y;
    const double dx = b.east - a.east, dy = b.north - a.north, start = atan2(ax, ay) / RADIANS;
    const double turn = remainder(atan2(ax + dx, ay + dy) / RADIANS - start, 360);
    const int last = (int)floor((start + fmax(turn, 0)) / step - 0.5);
    turned += turn;
    for (int k = (int)ceil((start + fmin(turn, 0)) / step - 0.5); k <= last; k++) {
      const double ray = (k + 0.5) * step * RADIANS;
      const double meters = (ax * dy - ay * dx) / (sin(ray) * dy - cos(ray) * dx);
      const int at = (k + 2 * CUPOLA_PLACE_DIRECTIONS) % CUPOLA_PLACE_DIRECTIONS;
      if (meters >= 0 && meters < distances[at]) distances[at] = meters, numbers[at] = number;
    }
  }
  return (int)floor(fabs(turned) / 360 + 0.5) % 2;
}

/* The weight of each direction: highest in the middle of the photo, or equal if the heading is
   unknown. */
static void weigh(const struct cupola_place *at, double *weights) {
  const double uniform = CUPOLA_PLACE_UNIFORM_SHARE, count = CUPOLA_PLACE_DIRECTIONS;
  const double aim = (isnan(at->view) ? CUPOLA_PLACE_LEVEL_VIEW_DEG : at->view) * CUPOLA_PLACE_AIM_SHARE;
  const double variance = square(CUPOLA_PLACE_COMPASS_ERROR_DEG) + square(aim);
  double total = 0;
  for (int i = 0; i < CUPOLA_PLACE_DIRECTIONS; i++) {
    const double turn = remainder((i + 0.5) * 360 / count - at->heading, 360);
    total += weights[i] = isnan(turn) ? 1 : exp(-square(turn) / (2 * variance));
  }
  for (int i = 0; i < CUPOLA_PLACE_DIRECTIONS; i++) weights[i] = (1 - uniform) * weights[i] / total + uniform / count;
}

/* The fraction of the view that each building fills: the mean over sample points within the error
   that are not inside a building. */
static void view_shares(const struct cupola_place *at, const double *place, double *shares) {
  const double error = fmin(fmax(at->error, CUPOLA_PLACE_LEAST_SIGHT_ERROR_M), CUPOLA_PLACE_MOST_SIGHT_ERROR_M);
  double weights[CUPOLA_PLACE_DIRECTIONS], distances[CUPOLA_PLACE_DIRECTIONS];
  int inside[CUPOLA_PLACES] = {0}, numbers[CUPOLA_PLACE_DIRECTIONS], views = 0, most = 0;
  weigh(at, weights);
  for (int k = 0; k < CUPOLA_PLACE_LOOKS; k++) {
    int around = -1;
    for (int i = 0; i < CUPOLA_PLACE_DIRECTIONS; i++) distances[i] = CUPOLA_PLACE_SIGHT_M, numbers[i] = -1;
    for (int b = 0; b < CUPOLA_PLACES; b++) {
      if (!is_within(b, place, CUPOLA_PLACE_SIGHT_M + error)) continue;
      if (look(b, place, place_looks[k][0] * error, place_looks[k][1] * error, numbers, distances)) around = b;
    }
    if (around >= 0) inside[around]++;
    views += around < 0;
    for (int i = 0; i < CUPOLA_PLACE_DIRECTIONS; i++) {
      if (around < 0 && numbers[i] >= 0) shares[numbers[i]] += weights[i];
    }
  }
  for (int b = 0; b < CUPOLA_PLACES; b++) {
    if (inside[b] > inside[most]) most = b;
    if (views > 0) shares[b] /= views;
  }
  if (views == 0) shares[most] = 1;
}

/* Terms to add to the log probabilities of candidates, 0 or less; -INFINITY for all others. Returns the
   number of candidates. */
static int find_shifts(const struct cupola_place *at, const double *place, double *shifts) {
  const double errors = square(square(at->error / CUPOLA_PLACE_HALF_VIEW_ERROR_M)), least = CUPOLA_PLACE_LEAST_VIEW_SHARE;
  const double trust = (isnan(at->heading) ? CUPOLA_PLACE_VIEW_WITHOUT_HEADING : 1) / (1 + errors);
  double shares[CUPOLA_PLACES] = {0}, best = 0;
  int near = 0;
  view_shares(at, place, shares);
  for (int b = 0; b < CUPOLA_PLACES; b++) {
    shifts[b] = -INFINITY;
    if (!is_candidate(b, at, place)) continue;
    const double view = trust * log((shares[b] + least) / (CUPOLA_PLACE_USUAL_VIEW_SHARE + least));
    shifts[b] = CUPOLA_PLACE_POSITION_WEIGHT * density(b, place, at->error);
    if (place_parts[b][IS_KNOWN]) shifts[b] += CUPOLA_PLACE_HEADING_WEIGHT * view;
    best = fmax(best, shifts[b]);
    near++;
  }
  for (int b = 0; b < CUPOLA_PLACES; b++) shifts[b] -= best;
  return near;
}

/* The index of the largest value, ignoring the one at `without`; -1 if there is none. */
static int greatest(const double *values, int count, int without) {
  int best = -1;
  for (int i = 0; i < count; i++) {
    if (i != without && values[i] > -INFINITY && (best < 0 || values[i] > values[best])) best = i;
  }
  return best;
}

/* The image's log likelihood ratio for a building without training photos. */
static double doubt(const struct picture *picture) {
  const double most = CUPOLA_PLACE_MOST_DOUBT, tiny = CUPOLA_PLACE_LEAST_PROBABILITY;
  const int best = greatest(picture->seen, CUPOLA_BUILDINGS, -1);
  const double share = picture->all > 0 ? picture->seen[best] / picture->all : 0;
  const double odds = log(fmax(share, tiny)) - log(fmax(1 - share, tiny));
  const double by_share = most - CUPOLA_PLACE_DOUBT_SLOPE * log1p(exp(odds - CUPOLA_PLACE_DOUBT_BEND));
  const double by_likeness = log(fmax(picture->unknown, tiny)) - log(fmax(picture->all, tiny));
  return fmax(fmax(by_share, CUPOLA_PLACE_LEAST_DOUBT), fmin(by_likeness, most));
}

/* The prior of each nearby building without training photos, relative to all other buildings
   together. These buildings replace the label for unknown buildings. */
static double find_prior(struct picture *picture, int near, double heading) {
  const double odds = CUPOLA_PLACE_UNKNOWN_VISITS / (1 - CUPOLA_PLACE_UNKNOWN_VISITS);
  const double ratio = exp(doubt(picture)), rest = 1 - picture->unknown;
  const double others = CUPOLA_PLACES - CUPOLA_BUILDINGS, each = fmin(1, odds * CUPOLA_BUILDINGS / fmax(others, 1));
  picture->known = near > CUPOLA_BUILDINGS ? 1 / (1 + odds * ratio) : 1;
  if (near <= CUPOLA_BUILDINGS) return 0;
  for (int b = 0; b < CUPOLA_BUILDINGS && rest > 0; b++) picture->seen[b] /= rest;
  if (rest > 0) picture->nothing /= rest, picture->all /= rest, picture->unknown = 0;
  return each * ratio * (isnan(heading) ? CUPOLA_PLACE_PRIOR_WITHOUT_HEADING : 1);
}

/* Computes the probabilities of all buildings except unknown ones. Returns the probability that no
   building is shown. */
static double fuse(const struct picture *picture, double prior, const double *shifts, double *fused) {
  double total = 0;
  for (int b = 0; b < CUPOLA_PLACES; b++) {
    fused[b] = (b < CUPOLA_BUILDINGS ? picture->seen[b] : picture->all * prior) * exp(shifts[b]);
    total += fused[b];
  }
  const double scale = total > picture->all ? picture->all / total : 1; /* keeps the probability of "no building" */
  const double nothing = picture->nothing + picture->unknown, sum = picture->nothing + scale * total;
  const double whole = sum > 0 ? sum : 1;
  for (int b = 0; b < CUPOLA_PLACES; b++) fused[b] = isinf(shifts[b]) ? -INFINITY : scale * fused[b] / whole;
  return nothing / whole;
}

static int is_rejected(double best, double nothing) {
  return best <= 0 || (nothing > 0 && log(best / nothing) < CUPOLA_LEAST_ODDS);
}

/* Whether the place contradicts the building that the image clearly shows, or otherwise the best
   building. If so, stores that building and the best alternative. */
static int is_contradicted(
    int says, const struct picture *picture, const struct cupola_place *at, const double *shifts,
    struct cupola_place_answer *answer) {
  const double *fused = answer->probabilities;
  const int is_sure =
      says >= 0 && picture->seen[says] / picture->all * picture->known >= CUPOLA_PLACE_CONTRADICTED_SHARE;
  const int said = is_sure ? says : greatest(fused, CUPOLA_PLACES, -1);
  double before[CUPOLA_PLACES];
  for (int b = 0; b < CUPOLA_PLACES; b++) before[b] = is_behind(b, at, at->heading) ? -INFINITY : fused[b];
  const int ahead = greatest(before, CUPOLA_PLACES, said), is_far = shifts[said] <= CUPOLA_PLACE_CONTRADICTED_SHIFT;
  const int other = ahead >= 0 ? ahead : greatest(fused, CUPOLA_PLACES, said);
  if (said >= CUPOLA_BUILDINGS || other < 0) return 0;
  if (!(is_sure && is_far) && !(ahead >= 0 && is_behind(said, at, at->heading))) return 0;
  answer->verdict = CUPOLA_UNSURE, answer->building = said, answer->other = other;
  return 1;
}

static void judge(
    const struct picture *picture, const struct cupola_place *at, double nothing, const double *shifts,
    struct cupola_place_answer *answer) {
  const double *fused = answer->probabilities;
  const int first = greatest(fused, CUPOLA_PLACES, -1), second = greatest(fused, CUPOLA_PLACES, first);
  const int says = greatest(picture->seen, CUPOLA_BUILDINGS, -1);
  if (first < 0 || is_rejected(fused[first], nothing)) return;
  if (says >= 0 && is_rejected(picture->seen[says], picture->nothing + picture->unknown)) return;
  if (is_contradicted(says, picture, at, shifts, answer)) return;
  double all = 0;
  for (int b = 0; b < CUPOLA_PLACES; b++) all += fmax(fused[b], 0);
  const double share = fused[first] / all, next = second < 0 ? 0 : fused[second] / all;
  if (share + next < CUPOLA_LEAST_SHARE) return;
  answer->building = first;
  answer->verdict = first < CUPOLA_BUILDINGS ? CUPOLA_BUILDING : CUPOLA_MAPPED_BUILDING;
  if (share < CUPOLA_LEAST_SHARE) answer->verdict = CUPOLA_UNSURE, answer->other = second;
}

struct cupola_place_answer cupola_answer_at(const float *probabilities, struct cupola_place at) {
  struct cupola_place_answer answer = {CUPOLA_NOT_A_CAMPUS_BUILDING, -1, -1, {0}};
  const double place[2] = {at.longitude, at.latitude};
  struct picture picture = {.nothing = (double)probabilities[0]};
  double shifts[CUPOLA_PLACES];
  at.error = fmin(at.error, CUPOLA_PLACE_MOST_ERROR_M);
  if (!isfinite(at.heading)) at.heading = NAN;
  if (!isfinite(at.view)) at.view = NAN;
  for (int b = 0; b < CUPOLA_BUILDINGS; b++) picture.all += picture.seen[b] = (double)probabilities[b + 1];
#if CUPOLA_HAS_UNKNOWN
  picture.unknown = (double)probabilities[CUPOLA_LABELS - 1];
#endif
  const int near = find_shifts(&at, place, shifts);
  const double prior = find_prior(&picture, near, at.heading);
  const double nothing = fuse(&picture, prior, shifts, answer.probabilities);
  judge(&picture, &at, nothing, shifts, &answer);
  return answer;
}

#endif
