// The parts of Android, CameraX and Jetpack Compose that Examples/CampusLensAndroid uses, in addition to the stubs in
// Tests/GuideDrivers/android. Scripts/verify guides splits this file before each package line, because a Kotlin file
// has one package.

package android

object Manifest {
  object permission {
    const val CAMERA = "android.permission.CAMERA"
    const val ACCESS_FINE_LOCATION = "android.permission.ACCESS_FINE_LOCATION"
    const val ACCESS_COARSE_LOCATION = "android.permission.ACCESS_COARSE_LOCATION"
  }
}

package android.content.pm

object PackageManager {
  const val PERMISSION_GRANTED = 0
}

package android.os

class Bundle

class PowerManager {
  val isPowerSaveMode: Boolean get() = TODO()
}

object SystemClock {
  fun elapsedRealtime(): Long = TODO()
  fun elapsedRealtimeNanos(): Long = TODO()
}

package android.hardware

class Sensor {
  companion object {
    const val TYPE_ROTATION_VECTOR = 11
  }
}

class SensorEvent(val values: FloatArray)

interface SensorEventListener {
  fun onSensorChanged(event: SensorEvent)
  fun onAccuracyChanged(sensor: Sensor, accuracy: Int)
}

class SensorManager {
  fun getDefaultSensor(type: Int): Sensor? = TODO()
  fun registerListener(listener: SensorEventListener, sensor: Sensor, delay: Int): Boolean = TODO()
  fun unregisterListener(listener: SensorEventListener) {}

  companion object {
    const val SENSOR_DELAY_UI = 2
    const val AXIS_X = 1
    const val AXIS_Z = 3
    fun getRotationMatrixFromVector(matrix: FloatArray, vector: FloatArray) {}
    fun remapCoordinateSystem(matrix: FloatArray, x: Int, y: Int, result: FloatArray): Boolean = TODO()
    fun getOrientation(matrix: FloatArray, angles: FloatArray): FloatArray = TODO()
  }
}

class GeomagneticField(latitude: Float, longitude: Float, altitude: Float, time: Long) {
  val declination: Float get() = TODO()
}

package android.location

fun interface LocationListener {
  fun onLocationChanged(location: Location)
}

class LocationManager {
  val allProviders: List<String> get() = TODO()
  fun requestLocationUpdates(provider: String, time: Long, meters: Float, listener: LocationListener) {}
  fun removeUpdates(listener: LocationListener) {}

  companion object {
    const val GPS_PROVIDER = "gps"
    const val NETWORK_PROVIDER = "network"
  }
}

package androidx.activity

import android.content.Context
import android.os.Bundle
import java.io.File

open class ComponentActivity : Context(File("")) {
  open fun onCreate(savedInstanceState: Bundle?) {}
  open fun onStart() {}
  open fun onStop() {}
  open fun onDestroy() {}
}

package androidx.activity.compose

import androidx.activity.ComponentActivity
import androidx.activity.result.contract.ActivityResultContracts.RequestMultiplePermissions
import androidx.compose.runtime.Composable

class Launcher {
  fun launch(input: Array<String>) {}
}

fun ComponentActivity.setContent(content: @Composable () -> Unit) {}

@Composable
fun rememberLauncherForActivityResult(
  contract: RequestMultiplePermissions, onResult: (Map<String, Boolean>) -> Unit
): Launcher = TODO()

package androidx.activity.result.contract

object ActivityResultContracts {
  class RequestMultiplePermissions
}

package androidx.camera.core

import android.graphics.Bitmap

interface ImageInfo {
  val rotationDegrees: Int
}

interface ImageProxy : AutoCloseable {
  val imageInfo: ImageInfo
  fun toBitmap(): Bitmap
}

object ImageAnalysis {
  fun interface Analyzer {
    fun analyze(image: ImageProxy)
  }
}

package androidx.camera.view

import android.content.Context
import androidx.camera.core.ImageAnalysis
import androidx.lifecycle.compose.LifecycleOwner
import java.util.concurrent.Executor

open class CameraController {
  fun setEnabledUseCases(cases: Int) {}
  fun setImageAnalysisAnalyzer(executor: Executor, analyzer: ImageAnalysis.Analyzer) {}

  companion object {
    const val IMAGE_ANALYSIS = 2
  }
}

class LifecycleCameraController(context: Context) : CameraController() {
  fun bindToLifecycle(owner: LifecycleOwner) {}
}

class PreviewView(context: Context) {
  var controller: CameraController? = null
}

package androidx.lifecycle.compose

import androidx.compose.ui.platform.Local

interface LifecycleOwner

val LocalLifecycleOwner = Local<LifecycleOwner>()

package androidx.compose.runtime

import kotlin.reflect.KProperty

@Target(AnnotationTarget.FUNCTION, AnnotationTarget.TYPE, AnnotationTarget.PROPERTY_GETTER)
annotation class Composable

class MutableState<T>(var value: T)

fun <T> mutableStateOf(value: T) = MutableState(value)
operator fun <T> MutableState<T>.getValue(owner: Any?, property: KProperty<*>): T = value
operator fun <T> MutableState<T>.setValue(owner: Any?, property: KProperty<*>, value: T) { this.value = value }

@Composable
fun <T> remember(calculation: () -> T): T = calculation()

@Composable
fun LaunchedEffect(key: Any?, block: suspend () -> Unit) {}

package androidx.compose.ui

interface Modifier {
  companion object : Modifier
}

package androidx.compose.ui.platform

import android.content.Context
import androidx.compose.runtime.Composable

class Local<T> {
  val current: T @Composable get() = TODO()
}

val LocalContext = Local<Context>()

package androidx.compose.ui.semantics

import androidx.compose.ui.Modifier

class SemanticsScope

enum class LiveRegionMode { Polite, Assertive }

fun Modifier.semantics(properties: SemanticsScope.() -> Unit): Modifier = this
fun SemanticsScope.heading() {}
var SemanticsScope.contentDescription: String
  get() = TODO()
  set(value) {}
var SemanticsScope.liveRegion: LiveRegionMode
  get() = TODO()
  set(value) {}

package androidx.compose.ui.unit

class Dp

val Int.dp: Dp get() = TODO()

package androidx.compose.ui.viewinterop

import android.content.Context
import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier

@Composable
fun <T> AndroidView(factory: (Context) -> T, modifier: Modifier = Modifier) {}

package androidx.compose.foundation

import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier

class ScrollState

@Composable
fun isSystemInDarkTheme(): Boolean = TODO()

@Composable
fun rememberScrollState(): ScrollState = TODO()

fun Modifier.verticalScroll(state: ScrollState): Modifier = this

package androidx.compose.foundation.layout

import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier
import androidx.compose.ui.unit.Dp

object Arrangement {
  object Vertical
  val Top = Vertical
  fun spacedBy(space: Dp) = Vertical
}

@Composable
fun Column(
  modifier: Modifier = Modifier, verticalArrangement: Arrangement.Vertical = Arrangement.Top,
  content: @Composable () -> Unit
) {}

fun Modifier.fillMaxSize(): Modifier = this
fun Modifier.fillMaxWidth(): Modifier = this
fun Modifier.aspectRatio(ratio: Float): Modifier = this
fun Modifier.padding(all: Dp): Modifier = this
fun Modifier.systemBarsPadding(): Modifier = this

package androidx.compose.material3

import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier

class ColorScheme
class TextStyle
class Typography(val headlineMedium: TextStyle, val titleMedium: TextStyle)

fun lightColorScheme() = ColorScheme()
fun darkColorScheme() = ColorScheme()

object MaterialTheme {
  val typography: Typography @Composable get() = TODO()
}

@Composable
fun MaterialTheme(colorScheme: ColorScheme, content: @Composable () -> Unit) {}

@Composable
fun Surface(modifier: Modifier = Modifier, content: @Composable () -> Unit) {}

@Composable
fun Text(text: String, modifier: Modifier = Modifier, style: TextStyle? = null) {}
