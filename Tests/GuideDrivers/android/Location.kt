package android.location

class Location(val latitude: Double, val longitude: Double, private val error: Float?) {
  /** Meters; 0 if unknown. */
  val accuracy get() = error ?: 0f
  fun hasAccuracy() = error != null
}
