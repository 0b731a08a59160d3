import kotlin.math.*
import org.json.JSONArray
import org.json.JSONObject

/** What a photo shows. */
sealed interface Answer {
  data class Building(val name: String, val label: String, val probability: Double) : Answer
  data class Unsure(val first: String, val second: String) : Answer
  data object NotACampusBuilding : Answer
  data object NotOnCampus : Answer
}

/** How sure an answer must be. */
class CampusDecision(decision: JSONObject) {
  private val leastOdds = decision.getDouble("least_odds")
  private val leastShare = decision.getDouble("least_share")

  /** What the probabilities of all labels mean; `name` says what people call a label. */
  fun answer(probabilities: List<Pair<String, Double>>, name: (String) -> String): Answer {
    val (none, buildings) = probabilities.partition { it.first in setOf("not_a_campus_building", "unknown_building") }
    val nothing = none.sumOf { it.second }
    val all = buildings.sumOf { it.second }
    val ranked = buildings.sortedByDescending { it.second }
    val (label, best) = ranked.firstOrNull() ?: return Answer.NotACampusBuilding
    if (best <= 0 || nothing > 0 && ln(best / nothing) < leastOdds) return Answer.NotACampusBuilding
    if (best / all >= leastShare) return Answer.Building(name(label), label, best)
    val (other, next) = ranked.getOrNull(1) ?: return Answer.NotACampusBuilding
    return if ((best + next) / all >= leastShare) Answer.Unsure(name(label), name(other))
    else Answer.NotACampusBuilding
  }
}

/** campus.geojson: the grounds, and the records of the buildings. */
class CampusMap(geoJSON: String) {
  /** Name, address and what else is known of each building, by its label. */
  val records = mutableMapOf<String, JSONObject>()
  /** Polygons of rings of positions, longitude first; rings after the first are holes. */
  private val polygons = mutableListOf<JSONArray>()

  init {
    for (feature in JSONObject(geoJSON).getJSONArray("features").objects()) {
      val properties = feature.getJSONObject("properties")
      if (properties.has("label")) records[properties.getString("label")] = properties
      if (properties.getString("role") != "boundary") continue
      val geometry = feature.getJSONObject("geometry")
      val coordinates = geometry.getJSONArray("coordinates")
      if (geometry.getString("type") == "Polygon") polygons.add(coordinates)
      else polygons.addAll(coordinates.arrays())
    }
  }

  /**
   * Whether a place is surely off the grounds: outside, and farther from them than the error of the
   * position in meters. Without an error it is taken to be 15; an error below 0 says that there is no
   * position.
   */
  fun isOutside(latitude: Double, longitude: Double, error: Double? = null): Boolean {
    val reach = maxOf(error ?: 15.0, 0.01) // a centimeter is for rounding
    if (!(latitude in -90.0..90.0 && longitude in -180.0..180.0 && (error ?: 0.0) >= 0)) return false
    // Meters a degree, on the ellipsoid WGS 84.
    val (sine, cosine) = sin(latitude * PI / 180) to cos(latitude * PI / 180)
    val bend = 1 - 0.006694380 * sine * sine
    val (east, north) = 111_319.491 * cosine / sqrt(bend) to 110_574.276 / (bend * sqrt(bend))
    for (polygon in polygons) {
      var isInside = false
      for (ring in polygon.arrays()) {
        val corners = ring.arrays().map { it.getDouble(0) to it.getDouble(1) }
        // Of each edge the ends as seen from the place, across the 180th meridian too.
        var ax = (corners[0].first - longitude).IEEErem(360.0) * east
        for ((a, b) in corners.zipWithNext()) {
          val (ay, by) = (a.second - latitude) * north to (b.second - latitude) * north
          val (dx, dy) = (b.first - a.first).IEEErem(360.0) * east to by - ay
          if ((ay > 0) != (by > 0) && ax - ay * dx / dy > 0) isInside = !isInside
          val square = dx * dx + dy * dy
          val share = if (square > 0) (-(ax * dx + ay * dy) / square).coerceIn(0.0, 1.0) else 0.0
          if (hypot(ax + share * dx, ay + share * dy) <= reach) return false
          ax += dx
        }
      }
      if (isInside) return false
    }
    return polygons.isNotEmpty()
  }
}

private fun JSONArray.arrays() = (0 until length()).map { getJSONArray(it) }
private fun JSONArray.objects() = (0 until length()).map { getJSONObject(it) }
