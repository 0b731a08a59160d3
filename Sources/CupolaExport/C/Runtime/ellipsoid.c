#if CUPOLA_HAS_FENCE || CUPOLA_PLACES > 0

#define RADIANS (3.14159265358979324 / 180)

/* Meters to the east and north. */
struct way {
  double east, north;
};

/* A degree to the east and north at a latitude, on the ellipsoid WGS 84. */
static struct way degree(double latitude) {
  const double sine = sin(latitude * RADIANS), bend = 1 - 0.00669437999014 * sine * sine;
  return (struct way){111319.49079327 * cos(latitude * RADIANS) / sqrt(bend), 110574.27582159 / bend / sqrt(bend)};
}

/* From a latitude on, so many degrees. */
static struct way way(double latitude, double wide, double high) {
  const struct way halfway = degree(latitude + high / 2);
  return (struct way){wide * halfway.east, high * halfway.north};
}

/* How far along an edge, 0 to 1, its point next to a place is. The edge begins so many degrees from the place and goes on by
   others: it is straight in degrees, and so it is by the scale of one place, however long it is. */
static double nearest_share(struct way here, double turn, double rise, double wide, double high) {
  const double ax = turn * here.east, ay = rise * here.north, dx = wide * here.east, dy = high * here.north;
  const double length2 = dx * dx + dy * dy;
  return length2 > 0 ? fmin(fmax(-(ax * dx + ay * dy) / length2, 0), 1) : 0;
}

#endif
