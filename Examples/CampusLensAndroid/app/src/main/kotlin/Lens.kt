package lens

import android.content.Context
import android.os.PowerManager
import android.os.SystemClock
import androidx.camera.core.ImageAnalysis
import androidx.camera.core.ImageProxy
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.setValue
import campus.Answer
import campus.CampusRecognizer
import java.io.Closeable
import java.util.concurrent.Executors

// 1. CameraX passes frames on a background thread and drops those that arrive while one is being recognized.
// 2. Recognize at most five frames per second, and use the phone's position.
// 3. Publish an answer once most of the latest frames agree on it.

/** The state of the screen. */
class Lens(context: Context) : ImageAnalysis.Analyzer, Closeable {
  /** The steady answer; null while frames disagree. */
  var answer by mutableStateOf<Answer?>(null)
    private set

  val place = PlaceTracker(context)
  val thread = Executors.newSingleThreadExecutor()

  private val power = context.getSystemService(PowerManager::class.java)
  // Created on the thread that uses it.
  private val recognizer = lazy { CampusRecognizer(context) }
  private val steady = SteadyAnswer()
  private var next = 0L

  override fun analyze(image: ImageProxy) {
    image.use { if (takes()) recognize(it) }
  }

  private fun takes(): Boolean {
    val time = SystemClock.elapsedRealtime()
    if (time < next) return false
    next = time + if (power.isPowerSaveMode) 400 else 200
    return true
  }

  private fun recognize(image: ImageProxy) {
    val (location, heading) = place.now
    answer = steady.update(
      recognizer.value.answer(image.toBitmap(), image.imageInfo.rotationDegrees, location, heading))
  }

  override fun close() {
    thread.execute { if (recognizer.isInitialized()) recognizer.value.close() }
    thread.shutdown()
  }
}

/** Selects the answer that most of the latest five frames agree on. */
class SteadyAnswer {
  private val latest = ArrayDeque<Answer>()

  fun update(answer: Answer): Answer? {
    latest.addLast(answer)
    if (latest.size > 5) latest.removeFirst()
    val (_, alike) = latest.groupBy { it.withoutProbability }.maxBy { it.value.size }
    return if (alike.size >= 3) alike.last() else null
  }

  private val Answer.withoutProbability
    get() = when (this) {
      is Answer.Building -> copy(probability = 0.0)
      is Answer.MappedBuilding -> copy(probability = 0.0)
      is Answer.Unsure -> setOf(first, second)
      else -> this
    }
}
