package lens

import android.Manifest.permission.ACCESS_FINE_LOCATION
import android.content.Context
import android.content.pm.PackageManager.PERMISSION_GRANTED
import android.hardware.GeomagneticField
import android.hardware.Sensor
import android.hardware.SensorEvent
import android.hardware.SensorEventListener
import android.hardware.SensorManager
import android.location.Location
import android.location.LocationListener
import android.location.LocationManager
import android.os.SystemClock

/** The position and heading of the phone. */
class PlaceTracker(private val context: Context) : LocationListener, SensorEventListener {
  /** The heading is in degrees clockwise from true north. */
  data class Place(val location: Location?, val heading: Double?)

  private val locations = context.getSystemService(LocationManager::class.java)
  private val sensors = context.getSystemService(SensorManager::class.java)
  // Written on the main thread and read on the thread of the recognizer.
  @Volatile private var location: Location? = null
  @Volatile private var magneticHeading: Double? = null

  /** The place, if it is not older than 30 seconds. */
  val now: Place
    get() {
      val location = location?.takeIf { SystemClock.elapsedRealtimeNanos() - it.elapsedRealtimeNanos < 30_000_000_000 }
      return Place(location, location?.let { trueHeading(it) })
    }

  /** Does nothing without permission. Call it again after the user gave permission. */
  fun start() {
    if (context.checkSelfPermission(ACCESS_FINE_LOCATION) != PERMISSION_GRANTED) return
    for (provider in listOf(LocationManager.GPS_PROVIDER, LocationManager.NETWORK_PROVIDER)) {
      if (provider in locations.allProviders) locations.requestLocationUpdates(provider, 1_000, 0f, this)
    }
    val compass = sensors.getDefaultSensor(Sensor.TYPE_ROTATION_VECTOR) ?: return
    sensors.registerListener(this, compass, SensorManager.SENSOR_DELAY_UI)
  }

  fun stop() {
    locations.removeUpdates(this)
    sensors.unregisterListener(this)
  }

  /** Keeps the more accurate of two positions for 5 seconds. */
  override fun onLocationChanged(location: Location) {
    val old = this.location
    val isBetter = old == null || location.accuracy <= old.accuracy ||
      location.elapsedRealtimeNanos - old.elapsedRealtimeNanos > 5_000_000_000
    if (isBetter) this.location = location
  }

  override fun onSensorChanged(event: SensorEvent) {
    val (turned, upright, angles) = Triple(FloatArray(9), FloatArray(9), FloatArray(3))
    SensorManager.getRotationMatrixFromVector(turned, event.values)
    // The camera looks along the negative z-axis of a phone that is held upright.
    SensorManager.remapCoordinateSystem(turned, SensorManager.AXIS_X, SensorManager.AXIS_Z, upright)
    magneticHeading = Math.toDegrees(SensorManager.getOrientation(upright, angles)[0].toDouble())
  }

  override fun onAccuracyChanged(sensor: Sensor, accuracy: Int) {}

  private fun trueHeading(location: Location): Double? {
    val (latitude, longitude) = location.latitude.toFloat() to location.longitude.toFloat()
    val field = GeomagneticField(latitude, longitude, location.altitude.toFloat(), System.currentTimeMillis())
    return magneticHeading?.let { (it + field.declination + 360) % 360 }
  }
}
