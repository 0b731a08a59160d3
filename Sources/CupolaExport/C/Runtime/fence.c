#if CUPOLA_HAS_FENCE

/* The intersection of an eastward ray with an edge. */
enum crossing { MISSED, CROSSED, BOUNDARY };

static enum crossing crossing(const double *a, const double *b, double x, double y) {
  const double *low = a[1] <= b[1] ? a : b, *high = a[1] <= b[1] ? b : a;
  if (!(y >= low[1] && y <= high[1]) || (x > low[0] && x > high[0])) return MISSED;
  /* The interval is half-open, so a vertex on the ray counts once. */
  const enum crossing on_ray = y < high[1] ? CROSSED : MISSED;
  if (x < low[0] && x < high[0]) return on_ray;
  if (low[1] == high[1]) return BOUNDARY;
  const double side = (low[0] - x) * (high[1] - y) - (low[1] - y) * (high[0] - x);
  return side == 0 ? BOUNDARY : side > 0 ? on_ray : MISSED;
}

/* The parity of a ring's crossings, or -1 if the place is on the ring. */
static int ring_parity(const double *points, int count, double x, double y) {
  int parity = 0;
  for (int i = 0; i + 1 < count; i++) {
    switch (crossing(points + 2 * i, points + 2 * i + 2, x, y)) {
      case MISSED: break;
      case CROSSED: parity ^= 1; break;
      case BOUNDARY: return -1;
    }
  }
  return parity;
}

/* A pole is a single point, although it is a line on the map. */
static int touches_pole(double latitude) {
  for (int i = 0; i < CUPOLA_FENCE_POINTS; i++) {
    if (fence_points[2 * i + 1] == latitude) return 1;
  }
  return 0;
}

int cupola_fence_contains(double latitude, double longitude) {
  if (!(fabs(latitude) <= 90 && fabs(longitude) <= 180)) return 0;
  if (fabs(latitude) == 90) return touches_pole(latitude);
  int ring = 0, point = 0;
  for (int polygon = 0; polygon < CUPOLA_FENCE_POLYGONS; polygon++) {
    int is_inside = 0;
    for (; ring < fence_polygon_ends[polygon]; ring++) {
      const double *points = fence_points + 2 * point;
      const int count = fence_ring_ends[ring] - point;
      point = fence_ring_ends[ring];
      /* Outlines across the antimeridian extend beyond 180 degrees, so also test shifted copies of
         the place. */
      for (int turn = -360; turn <= 360; turn += 360) {
        const int parity = ring_parity(points, count, longitude + turn, latitude);
        if (parity < 0) return 1;
        is_inside ^= parity;
      }
    }
    if (is_inside) return 1;
  }
  return 0;
}

int cupola_off_campus(double latitude, double longitude, double error) {
  if (!(fabs(latitude) <= 90 && fabs(longitude) <= 180 && error >= 0)) return 0;
  if (cupola_fence_contains(latitude, longitude)) return 0;
  const struct way here = degree(latitude);
  for (int ring = 0, i = 0; ring < CUPOLA_FENCE_RINGS; ring++, i++) {
    for (; i + 1 < fence_ring_ends[ring]; i++) {
      const double *a = fence_points + 2 * i;
      const double rise = a[1] - latitude, wide = a[2] - a[0], high = a[3] - a[1];
      for (int lap = -360; lap <= 360; lap += 360) {
        const double turn = a[0] - longitude + lap, share = nearest_share(here, turn, rise, wide, high);
        /* A degree of latitude is at least 110574 m long, which excludes most edges quickly. */
        if (fabs(rise + share * high) * 110574 > error) continue;
        const struct way foot = way(latitude, turn + share * wide, rise + share * high);
        if (hypot(foot.east, foot.north) <= error) return 0;
      }
    }
  }
  return 1;
}

#else

int cupola_fence_contains(double latitude, double longitude) {
  return fabs(latitude) <= 90 && fabs(longitude) <= 180;
}

int cupola_off_campus(double latitude, double longitude, double error) {
  (void)latitude, (void)longitude, (void)error;
  return 0;
}

#endif
