#if CUPOLA_HAS_FENCE || CUPOLA_PLACES > 0

#define RADIANS (3.14159265358979324 / 180)

/* Meters east and north. */
struct way {
  double east, north;
};

/* The length of a degree of longitude and latitude on the WGS 84 ellipsoid. */
static struct way degree(double latitude) {
  const double sine = sin(latitude * RADIANS), bend = 1 - 0.00669437999014 * sine * sine;
  return (struct way){111319.49079327 * cos(latitude * RADIANS) / sqrt(bend), 110574.27582159 / bend / sqrt(bend)};
}

/* Converts degrees of longitude and latitude, starting at a latitude, to meters. */
static struct way way(double latitude, double wide, double high) {
  const struct way halfway = degree(latitude + high / 2);
  return (struct way){wide * halfway.east, high * halfway.north};
}

/* The position of an edge's nearest point to a place, as a fraction of the edge, 0 to 1. The edge
   starts at (turn, rise) and extends by (wide, high), in degrees relative to the place. Edges are
   straight in degrees, so the same scale applies to the whole edge. */
static double nearest_share(struct way here, double turn, double rise, double wide, double high) {
  const double ax = turn * here.east, ay = rise * here.north, dx = wide * here.east, dy = high * here.north;
  const double length2 = dx * dx + dy * dy;
  return length2 > 0 ? fmin(fmax(-(ax * dx + ay * dy) / length2, 0), 1) : 0;
}

#endif
