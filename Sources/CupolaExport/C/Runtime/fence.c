#if CUPOLA_HAS_FENCE

/* How the ray from a place to the east meets an edge. */
enum crossing { MISSED, CROSSED, BOUNDARY };

static enum crossing crossing(const double *a, const double *b, double x, double y) {
  const double *low = a[1] <= b[1] ? a : b, *high = a[1] <= b[1] ? b : a;
  if (!(y >= low[1] && y <= high[1]) || (x > low[0] && x > high[0])) return MISSED;
  /* Half open, so that a corner on the ray counts once. */
  const enum crossing on_ray = y < high[1] ? CROSSED : MISSED;
  if (x < low[0] && x < high[0]) return on_ray;
  if (low[1] == high[1]) return BOUNDARY;
  const double side = (low[0] - x) * (high[1] - y) - (low[1] - y) * (high[0] - x);
  return side == 0 ? BOUNDARY : side > 0 ? on_ray : MISSED;
}

/* Crossings of a ring: their parity, or -1 when the place lies on the ring. */
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

/* A pole is one place, though the map draws it as a line. */
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
      /* Outlines across 180 degrees go on beyond: the place is sought there too. */
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

/* Meters a degree to the east and north at a latitude, on the ellipsoid WGS 84. */
struct scale {
  double east, north;
};

static struct scale scale_at(double latitude) {
  const double sine = sin(latitude * (3.14159265358979324 / 180));
  const double bend = 1 - 0.00669437999014 * sine * sine;
  return (struct scale){111319.49079327 * sqrt((1 - sine * sine) / bend), 110574.27582159 / (bend * sqrt(bend))};
}

/* Meters of a way of so many degrees to the east and north, which begins at a latitude. */
static double way_length(double latitude, double wide, double high) {
  const struct scale halfway = scale_at(latitude + high / 2);
  return hypot(wide * halfway.east, high * halfway.north);
}

/* How far along an edge from a, which goes on by d, its point next to the origin is: 0 to 1. */
static double nearest_share(double ax, double ay, double dx, double dy) {
  const double square = dx * dx + dy * dy;
  const double along = square > 0 ? -(ax * dx + ay * dy) / square : 0;
  return along < 0 ? 0 : along > 1 ? 1 : along;
}

int cupola_off_campus(double latitude, double longitude, double error) {
  if (!(fabs(latitude) <= 90 && fabs(longitude) <= 180 && error >= 0)) return 0;
  if (cupola_fence_contains(latitude, longitude)) return 0;
  /* Edges are straight in degrees, and so they are by the scale of one place, however long they are. */
  const struct scale here = scale_at(latitude);
  for (int ring = 0, i = 0; ring < CUPOLA_FENCE_RINGS; ring++, i++) {
    for (; i + 1 < fence_ring_ends[ring]; i++) {
      const double *a = fence_points + 2 * i;
      const double ay = a[1] - latitude, dx = a[2] - a[0], dy = a[3] - a[1];
      for (int turn = -360; turn <= 360; turn += 360) {
        const double ax = a[0] - longitude + turn;
        const double share = nearest_share(ax * here.east, ay * here.north, dx * here.east, dy * here.north);
        const double high = ay + share * dy;
        /* A degree of latitude has 110574 m at least: few edges are worth the rest. */
        if (fabs(high) * 110574 <= error && way_length(latitude, ax + share * dx, high) <= error) return 0;
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
