package campus

import kotlin.math.*
import org.json.JSONArray
import org.json.JSONObject

/** The answer for a photo. */
sealed interface Answer {
  data class Building(val name: String, val label: String, val probability: Double) : Answer
  /** Probably this building, which has no training photos. Based only on position and heading. */
  data class MappedBuilding(val name: String, val label: String, val probability: Double) : Answer
  data class Unsure(val first: String, val second: String) : Answer
  data object NotACampusBuilding : Answer
  data object NotOnCampus : Answer

  /** The answer in the words of `cupola classify`. */
  val text: String
    get() = when (this) {
      is Building -> "$name (${"%.1f".format(java.util.Locale.ROOT, 100 * probability)}%)"
      is MappedBuilding -> "Probably $name"
      is Unsure -> "Unsure: $first or $second"
      NotACampusBuilding -> "Not a Campus Building"
      NotOnCampus -> "Not on Campus"
    }
}

/** Converts the result of combining image and place. */
fun Places.Found.toAnswer(): Answer = when (verdict) {
  "building" -> Answer.Building(buildings[0].name, buildings[0].label, probability)
  "mapped_building" -> Answer.MappedBuilding(buildings[0].name, buildings[0].label, probability)
  "unsure" -> Answer.Unsure(buildings[0].name, buildings[1].name)
  else -> Answer.NotACampusBuilding
}

/** The thresholds for naming buildings. */
class CampusDecision(decision: JSONObject) {
  val leastOdds = decision.getDouble("least_odds")
  val leastShare = decision.getDouble("least_share")

  /** Interprets the probabilities of all labels. `name` returns a label's display name. */
  fun answer(probabilities: List<Pair<String, Double>>, name: (String) -> String): Answer {
    val (none, buildings) = probabilities.partition { it.first in setOf("not_a_campus_building", "unknown_building") }
    val nothing = none.sumOf { it.second }
    val all = buildings.sumOf { it.second }
    val ranked = buildings.sortedByDescending { it.second }
    val (label, best) = ranked.firstOrNull() ?: return Answer.NotACampusBuilding
    if (best <= 0 || nothing > 0 && ln(best / nothing) < leastOdds) return Answer.NotACampusBuilding
    val known = 1 - (none.find { it.first == "unknown_building" }?.second ?: 0.0) // excludes unknown buildings
    if (best / all >= leastShare) return Answer.Building(name(label), label, best / known)
    val (other, next) = ranked.getOrNull(1) ?: return Answer.NotACampusBuilding
    return if ((best + next) / all >= leastShare) Answer.Unsure(name(label), name(other))
    else Answer.NotACampusBuilding
  }
}

/** campus.geojson: the campus polygons and the buildings' records. */
class CampusMap(geoJSON: String) {
  /** Each building's name, address and other properties, by label. */
  val records = mutableMapOf<String, JSONObject>()
  /** Polygons as lists of rings of positions (longitude first). All rings after the first are holes. */
  private val polygons = mutableListOf<List<List<Way>>>()

  init {
    for (feature in JSONObject(geoJSON).getJSONArray("features").objects()) {
      val properties = feature.getJSONObject("properties")
      if (properties.has("label")) records[properties.getString("label")] = properties
      if (properties.getString("role") != "boundary") continue
      val geometry = feature.getJSONObject("geometry")
      val coordinates = geometry.getJSONArray("coordinates")
      val areas = if (geometry.getString("type") == "Polygon") listOf(coordinates) else coordinates.lists()
      polygons += areas.map { rings -> rings.lists().map { ring -> ring.lists().map { it.way() } } }
    }
  }

  /**
   * Whether a place is outside the campus by more than the position error in meters (default: 15). False for a negative
   * error, which means that there is no position.
   */
  fun isOutside(latitude: Double, longitude: Double, error: Double? = null): Boolean {
    val reach = maxOf(error ?: 15.0, 0.01) // 1 cm allows for rounding
    if (!(latitude in -90.0..90.0 && longitude in -180.0..180.0 && (error ?: 0.0) >= 0)) return false
    return polygons.isNotEmpty() && polygons.all { distance(Way(longitude, latitude), it) > reach }
  }
}

private fun JSONArray.objects() = (0 until length()).map { getJSONObject(it) }
