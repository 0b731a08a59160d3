package android.location

class Location(val latitude: Double, val longitude: Double, private val error: Float?) {
  /** Meters; 0 if unknown. */
  val accuracy get() = error ?: 0f
  fun hasAccuracy() = error != null
  val altitude = 0.0
  val elapsedRealtimeNanos = 0L
}
