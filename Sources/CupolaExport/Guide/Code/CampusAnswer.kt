import kotlin.math.*
import org.json.JSONArray
import org.json.JSONObject

/** What a photo shows. */
sealed interface Answer {
  data class Building(val name: String, val label: String, val probability: Double) : Answer
  /** Probably this one, which no photo trained, by position and direction only. */
  data class MappedBuilding(val name: String, val label: String, val probability: Double) : Answer
  data class Unsure(val first: String, val second: String) : Answer
  data object NotACampusBuilding : Answer
  data object NotOnCampus : Answer
}

/** What picture and place say together. */
fun Places.Found.told(): Answer = when (verdict) {
  "building" -> Answer.Building(buildings[0].name, buildings[0].label, probability)
  "mapped_building" -> Answer.MappedBuilding(buildings[0].name, buildings[0].label, probability)
  "unsure" -> Answer.Unsure(buildings[0].name, buildings[1].name)
  else -> Answer.NotACampusBuilding
}

/** How sure an answer must be. */
class CampusDecision(decision: JSONObject) {
  val leastOdds = decision.getDouble("least_odds")
  val leastShare = decision.getDouble("least_share")

  /** What the probabilities of all labels mean; `name` says what people call a label. */
  fun answer(probabilities: List<Pair<String, Double>>, name: (String) -> String): Answer {
    val (none, buildings) = probabilities.partition { it.first in setOf("not_a_campus_building", "unknown_building") }
    val nothing = none.sumOf { it.second }
    val all = buildings.sumOf { it.second }
    val ranked = buildings.sortedByDescending { it.second }
    val (label, best) = ranked.firstOrNull() ?: return Answer.NotACampusBuilding
    if (best <= 0 || nothing > 0 && ln(best / nothing) < leastOdds) return Answer.NotACampusBuilding
    val known = 1 - (none.find { it.first == "unknown_building" }?.second ?: 0.0) // told is how probable it is then
    if (best / all >= leastShare) return Answer.Building(name(label), label, best / known)
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
   * Whether a place is surely off the grounds: outside, and farther from them than the error of the
   * position in meters. Without an error it is taken to be 15; an error below 0 says that there is no
   * position.
   */
  fun isOutside(latitude: Double, longitude: Double, error: Double? = null): Boolean {
    val reach = maxOf(error ?: 15.0, 0.01) // a centimeter is for rounding
    if (!(latitude in -90.0..90.0 && longitude in -180.0..180.0 && (error ?: 0.0) >= 0)) return false
    return polygons.isNotEmpty() && polygons.all { distance(Way(longitude, latitude), it) > reach }
  }
}

private fun JSONArray.objects() = (0 until length()).map { getJSONObject(it) }
