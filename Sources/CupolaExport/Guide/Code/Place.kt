package campus

import kotlin.math.*
import org.json.JSONArray
import org.json.JSONObject

/** Combines an image's probabilities with position and heading, using place.json. */
class Places(json: String) {
  class Building(b: JSONObject) {
    val label: String = b.getString("label")
    val name: String = b.getString("name")
    val isTrained = b.getBoolean("trained")
    val isPoint = b.getBoolean("is_point")
    /** Longitude and latitude; null if unknown. */
    val position = if (b.isNull("position")) null else b.getJSONArray("position").way()
    val radius = if (b.isNull("position")) 0.0 else b.getDouble("radius_m")
    val rings = b.getJSONArray("rings").lists().map { ring -> ring.lists().map { it.way() } }
    val viewpoints = b.getJSONArray("viewpoints").lists().map { Triple(it.getDouble(0), it.getDouble(1), it.getDouble(2)) }
  }

  /** The camera's position and heading. */
  private class Place(val at: Way, val error: Double, val heading: Double?, val view: Double?)
  private class Picture(val nothing: Double, val seen: List<Double>, val unknown: Double)

  /** The verdict, its one or two buildings, and the probabilities of all nearby buildings. */
  class Found(
    val verdict: String, val buildings: List<Building>, val probability: Double,
    val candidates: List<Pair<Building, Double>>)

  private val table = JSONObject(json)
  private val constants = table.getJSONObject("constants")
  private val looks = table.getJSONArray("looks").lists().map { it.way() }
  /** Buildings with training photos come first. */
  val buildings = table.getJSONArray("buildings").let { all -> (0 until all.length()).map { Building(all.getJSONObject(it)) } }
  private val trained = buildings.count { it.isTrained }
  private val edges = buildings.map { b -> b.rings.flatMap { ring -> ring.map { plane(b.position!!, it) }.zipWithNext() } }

  /** Returns a constant from place.json. */
  fun c(name: String) = constants.getDouble(name)

  /**
   * Returns the answer for a photo with probabilities p, or null if the position is invalid.
   *
   * error: position error in meters; negative if there is no position. heading: degrees clockwise from true north;
   * convert magnetic headings using GeomagneticField. view: the horizontal field of view in degrees.
   */
  fun answer(
    p: List<Double>, leastOdds: Double, leastShare: Double, latitude: Double, longitude: Double,
    error: Double? = null, heading: Double? = null, view: Double? = null
  ): Found? {
    val meters = min(error ?: c("usual_error_m"), c("most_error_m"))
    if (!(latitude in -90.0..90.0 && longitude in -180.0..180.0 && meters >= 0)) return null
    val place = Place(Way(longitude, latitude), meters, heading.finite(), view.finite())
    var picture = Picture(p[0], p.subList(1, trained + 1), p.drop(trained + 1).sum())
    val near = buildings.indices.filter {
      it < trained || isNear(it, place, c("candidate_reach_m") + meters) && !isOutOfView(it, place)
    }
    val shifts = shifts(near, place)
    val (prior, known) = prior(picture, near, place)
    if (prior > 0 && picture.unknown < 1) { // buildings without training photos replace the label for unknown buildings
      val rest = 1 - picture.unknown
      picture = Picture(picture.nothing / rest, picture.seen.map { it / rest }, 0.0)
    }
    val (nothing, fused) = fuse(picture, prior, near, shifts)
    val behind = near.filter { isBehind(it, place) }
    return judge(picture, known, nothing, fused, shifts, behind, leastOdds, leastShare)
  }

  /** Converts a place to meters east and north in a plane. */
  private fun plane(place: Way, to: Way): Way {
    val scale = c("meters_per_degree")
    return Way((to.x - place.x).IEEErem(360.0) * cos(place.y * PI / 180) * scale, (to.y - place.y) * scale)
  }

  /** Whether a building's bounding circle is within a distance. */
  private fun isNear(number: Int, place: Place, meters: Double) =
    buildings[number].run { position != null && plane(place.at, position).length - radius <= meters }

  /** The log density of a building's photos at a place, relative to the density of all photos. */
  private fun density(building: Building, place: Place): Double {
    val (error2, share) = place.error.pow(2) to c("broad_share")
    var (total, count) = 0.0 to building.viewpoints.size.toDouble()
    for ((latitude, longitude, error) in building.viewpoints) {
      val way = plane(place.at, Way(longitude / 1e6, latitude / 1e6))
      total += gaussian(way.length.pow(2), error2 + error.pow(2) + c("bandwidth_m").pow(2))
    }
    if (building.position != null) {
      val rings = if (building.isPoint) listOf(listOf(building.position, building.position)) else building.rings
      val around = gaussian(distance(place.at, rings).pow(2), error2 + c("building_reach_m").pow(2))
      total += c("catalog_count") * around
      count += c("catalog_count")
    }
    val broad = gaussian(0.0, error2 + c("broad_reach_m").pow(2))
    return if (count > 0) ln(share + (1 - share) * total / count / broad) else 0.0
  }

  /**
   * The index of the nearest outline in each direction from a point (-1 for none), and the index of an outline that
   * encloses the point.
   */
  private fun horizon(seen: List<Int>, place: Place, look: Way): Pair<IntArray, Int?> {
    val count = c("directions").toInt()
    val (step, numbers, distances) = Triple(360.0 / count, IntArray(count) { -1 }, DoubleArray(count) { c("sight_m") })
    var around: Int? = null
    for (number in seen) {
      val middle = plane(place.at, buildings[number].position!!)
      var turned = 0.0
      for ((a, b) in edges[number]) {
        val (ax, ay) = a.x + middle.x - look.x to a.y + middle.y - look.y
        val (dx, dy) = b.x - a.x to b.y - a.y
        val start = atan2(ax, ay) * 180 / PI
        val turn = (atan2(ax + dx, ay + dy) * 180 / PI - start).IEEErem(360.0)
        turned += turn
        for (i in ceil((start + min(turn, 0.0)) / step - 0.5).toInt()..floor((start + max(turn, 0.0)) / step - 0.5).toInt()) {
          val ray = (i + 0.5) * step * PI / 180
          val meters = (ax * dy - ay * dx) / (sin(ray) * dy - cos(ray) * dx)
          val at = i.mod(count)
          if (meters >= 0 && meters < distances[at]) {
            distances[at] = meters
            numbers[at] = number
          }
        }
      }
      if ((abs(turned) / 360).roundToInt() % 2 == 1) around = number
    }
    return numbers to around
  }

  /** The weight of each direction: highest in the middle of the photo, or equal if the heading is unknown. */
  private fun weights(place: Place): List<Double> {
    val (count, uniform) = c("directions") to c("uniform_share")
    val aim = (place.view ?: c("level_view_deg")) * c("aim_share")
    val variance = if (place.heading == null) Double.POSITIVE_INFINITY else c("compass_error_deg").pow(2) + aim.pow(2)
    val weights = (0 until count.toInt()).map { i ->
      exp(-((i + 0.5) * 360 / count - (place.heading ?: 0.0)).IEEErem(360.0).pow(2) / (2 * variance))
    }
    return weights.map { (1 - uniform) * it / weights.sum() + uniform / count }
  }

  /**
   * The fraction of the view that each building fills: the mean over sample points within the error that are not inside
   * a building.
   */
  private fun shares(place: Place): List<Double> {
    val error = place.error.coerceIn(c("least_sight_error_m"), c("most_sight_error_m"))
    val seen = buildings.indices.filter { isNear(it, place, c("sight_m") + error) }
    val (shares, inside, weights) = Triple(DoubleArray(buildings.size), IntArray(buildings.size), weights(place))
    var views = 0
    for (look in looks) {
      val (numbers, around) = horizon(seen, place, Way(look.x * error, look.y * error))
      if (around != null) inside[around]++
      else numbers.forEachIndexed { i, number -> if (number >= 0) shares[number] += weights[i] }
      if (around == null) views++
    }
    if (views == 0) shares[inside.indexOf(inside.max())] = 1.0
    return shares.map { it / max(views, 1) }
  }

  /** Terms to add to the log probabilities of nearby buildings, 0 or less. */
  private fun shifts(near: List<Int>, place: Place): Map<Int, Double> {
    val (shares, least) = shares(place) to c("least_view_share")
    val trust = (if (place.heading == null) c("view_without_heading") else 1.0) / (1 + (place.error / c("half_view_error_m")).pow(4))
    val terms = near.associateWith { i ->
      val view = if (buildings[i].position == null) 0.0 else trust * ln((shares[i] + least) / (c("usual_view_share") + least))
      c("position_weight") * density(buildings[i], place) + c("heading_weight") * view
    }
    val best = max(0.0, terms.values.maxOrNull() ?: 0.0)
    return terms.mapValues { it.value - best }
  }

  /** The image's log likelihood ratio for a building without training photos. */
  private fun doubt(picture: Picture): Double {
    fun log(x: Double) = ln(max(x, c("least_probability")))
    val (total, most) = picture.seen.sum() to c("most_doubt")
    val share = if (total > 0) picture.seen.max() / total else 0.0
    val byShare = most - c("doubt_slope") * ln1p(exp(log(share) - log(1 - share) - c("doubt_bend")))
    return maxOf(byShare, c("least_doubt"), min(log(picture.unknown) - log(total), most))
  }

  /**
   * The prior of each nearby building without training photos, relative to all other buildings together, and the
   * probability that the building shown has training photos.
   */
  private fun prior(picture: Picture, near: List<Int>, place: Place): Pair<Double, Double> {
    if (near.size == trained) return 0.0 to 1.0
    val (odds, ratio) = c("unknown_visits") / (1 - c("unknown_visits")) to exp(doubt(picture))
    val each = min(1.0, odds * trained / (buildings.size - trained))
    return each * ratio * (if (place.heading == null) c("prior_without_heading") else 1.0) to 1 / (1 + odds * ratio)
  }

  /** The probability of no building, and the probabilities of nearby buildings except unknown ones, highest first. */
  private fun fuse(
    picture: Picture, prior: Double, near: List<Int>, shifts: Map<Int, Double>
  ): Pair<Double, List<Pair<Int, Double>>> {
    val (seen, nothing) = picture.seen.sum() to picture.nothing + picture.unknown
    val fused = near.map { (if (it < trained) picture.seen[it] else seen * prior) * exp(shifts.getValue(it)) }
    val scale = if (fused.sum() > seen) seen / fused.sum() else 1.0 // keeps the probability of "no building"
    val whole = (picture.nothing + scale * fused.sum()).takeIf { it > 0 } ?: 1.0
    return nothing / whole to near.zip(fused.map { scale * it / whole }).sortedByDescending { it.second }
  }

  /** Whether, from all positions within the error, the whole building is more than 90 degrees off the heading. */
  private fun isBehind(number: Int, place: Place, turn: Double = 0.0): Boolean {
    val (position, heading) = buildings[number].position to place.heading
    if (position == null || heading == null) return false
    val (middle, angle) = plane(place.at, position) to (heading + turn) * PI / 180
    return edges[number].maxOf { (a, _) -> sin(angle) * (a.x + middle.x) + cos(angle) * (a.y + middle.y) } < -place.error
  }

  /** Whether the whole building is clearly outside the field of view, in spite of the errors of position and compass. */
  private fun isOutOfView(number: Int, place: Place): Boolean {
    val tilt = max(0.0, 90 - (place.view ?: c("level_view_deg")) / 2 - c("view_margin_deg"))
    return listOf(-tilt, 0.0, tilt).any { isBehind(number, place, it) }
  }

  private fun judge(
    picture: Picture, known: Double, nothing: Double, fused: List<Pair<Int, Double>>, shifts: Map<Int, Double>,
    behind: List<Int>, leastOdds: Double, leastShare: Double
  ): Found {
    fun result(verdict: String, vararg numbers: Int) = Found(
      verdict, numbers.map { buildings[it] }, fused.firstOrNull { it.first == numbers.firstOrNull() }?.second ?: 0.0,
      fused.map { buildings[it.first] to it.second })
    fun isRejected(best: Double, nothing: Double) = best <= 0 || nothing > 0 && ln(best / nothing) < leastOdds
    val says = picture.seen.indices.maxByOrNull { picture.seen[it] }
    val (first, best) = fused.firstOrNull() ?: return result("not_a_campus_building")
    if (isRejected(best, nothing)) return result("not_a_campus_building")
    if (says != null && isRejected(picture.seen[says], picture.nothing + picture.unknown)) return result("not_a_campus_building")
    val isSure = says != null && picture.seen[says] / picture.seen.sum() * known >= c("contradicted_share")
    val said = if (says != null && isSure) says else first
    val others = fused.map { it.first }.filter { it != said }
    val ahead = others.firstOrNull { it !in behind }
    val other = ahead ?: others.firstOrNull()
    val isFar = isSure && shifts.getValue(said) <= c("contradicted_shift")
    if (said < trained && other != null && (isFar || ahead != null && said in behind)) return result("unsure", said, other)
    val shares = fused.map { it.second / fused.sumOf { all -> all.second } }
    if (shares[0] >= leastShare) return result(if (first < trained) "building" else "mapped_building", first)
    return if (shares.take(2).sum() >= leastShare) result("unsure", first, fused[1].first) else result("not_a_campus_building")
  }
}

/** Degrees of longitude and latitude, or meters east and north. */
data class Way(val x: Double, val y: Double) {
  val length get() = hypot(x, y)
}

/** The distance to an area's nearest point in meters, 0 inside. Supports areas across the 180th meridian. */
fun distance(place: Way, rings: List<List<Way>>): Double {
  var (isInside, least) = false to Double.POSITIVE_INFINITY
  // Edges are straight in degrees, so the same scale applies to the whole edge.
  val (east, north) = way(place, 1e-6, place.y + 1e-6)
  for (ring in rings) {
    var start = (ring[0].x - place.x).IEEErem(360.0)
    for ((from, to) in ring.zipWithNext()) {
      val (wide, high) = (to.x - from.x).IEEErem(360.0) to to.y - from.y
      val (a, d) = Way(start * east, (from.y - place.y) * north) to Way(wide * east, high * north)
      if ((from.y > place.y) != (to.y > place.y) && a.x - a.y * d.x / d.y > 0) isInside = !isInside
      val square = d.x * d.x + d.y * d.y
      val share = if (square > 0) (-(a.x * d.x + a.y * d.y) / square).coerceIn(0.0, 1.0) else 0.0
      least = min(least, way(place, start + share * wide, from.y + share * high).length)
      start += wide
    }
  }
  return if (isInside) 0.0 else least
}

/**
 * The way from a place in meters east and north on the WGS 84 ellipsoid. `wide` is the difference in longitude in
 * degrees.
 */
private fun way(place: Way, wide: Double, latitude: Double): Way {
  val middle = (latitude + place.y) / 2 * PI / 180
  val bend = 1 - 0.00669437999014 * sin(middle).pow(2)
  return Way(wide * 111319.49079327 * cos(middle) / sqrt(bend), (latitude - place.y) * 110574.27582159 / bend.pow(1.5))
}

/** Returns null for NaN and infinity, which sensors report if a value is unknown. */
private fun Double?.finite() = this?.takeIf { it.isFinite() }

private fun gaussian(square: Double, variance: Double) = exp(-square / (2 * variance)) / variance
fun JSONArray.way() = Way(getDouble(0), getDouble(1))
fun JSONArray.lists() = (0 until length()).map { getJSONArray(it) }
