package campus

import android.content.Context
import android.location.Location
import androidx.test.platform.app.InstrumentationRegistry
import java.io.File
import kotlin.math.abs
import kotlin.math.ln
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Test

/** Compares this device's answers for the photos in golden with Cupola's answers. */
class GoldenTest {
  private val test: Context = InstrumentationRegistry.getInstrumentation().context
  private val app: Context = InstrumentationRegistry.getInstrumentation().targetContext

  @Test
  fun answers() {
    val expected = JSONObject(test.assets.open("golden/expected.json").reader().readText())
    val pictures = expected.getJSONArray("pictures")
    val labels = expected.getJSONArray("labels")
    val failures = mutableListOf<String>()
    CampusRecognizer(app).use { recognizer ->
      for (index in 0 until pictures.length()) {
        val picture = pictures.getJSONObject(index)
        val photo = File(app.cacheDir, picture.getString("file").substringAfterLast('/'))
        test.assets.open("golden/" + picture.getString("file")).use { from -> photo.outputStream().use { from.copyTo(it) } }
        val found = recognizer.probabilities(photo).toMap()
        val wanted = picture.getJSONArray("probabilities")
        for (label in 0 until labels.length()) {
          val (a, b) = (found[labels.getString(label)] ?: 0.0) to wanted.getDouble(label)
          val isNear = abs(a - b) <= picture.getDouble("tolerance") &&
            abs(ln(maxOf(a, 1e-30) / maxOf(b, 1e-30))) <= picture.getDouble("log_tolerance")
          if (!isNear) failures += "${picture.getString("file")}, ${labels.getString(label)}: $a instead of $b"
        }
        if (picture.getString("verdict") != "not_on_campus") continue
        val place = Location("test").apply {
          latitude = picture.getDouble("latitude")
          longitude = picture.getDouble("longitude")
          accuracy = 10f
        }
        if (recognizer.answer(photo, place) != Answer.NotOnCampus) failures += "${picture.getString("file")}: on campus"
      }
    }
    assertEquals(listOf<String>(), failures)
  }
}
