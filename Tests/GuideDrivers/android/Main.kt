// Runs the Kotlin code of TFLite exports. Folders and answers have the format of python/answer.py. The code is
// compiled with this file, so one run accepts exports of one geometry only.
import android.content.Context
import campus.*
import android.graphics.Bitmap
import android.location.Location
import com.google.mediapipe.tasks.vision.imageclassifier.Category
import com.google.mediapipe.tasks.vision.imageclassifier.ImageClassifier
import java.io.File
import org.json.JSONObject

private fun verdictOf(answer: Answer) =
  when (answer) {
    is Answer.Building -> "building"
    is Answer.MappedBuilding -> "mapped_building"
    is Answer.Unsure -> "unsure"
    Answer.NotACampusBuilding -> "not_a_campus_building"
    Answer.NotOnCampus -> "not_on_campus"
  }

private const val COLOR = 0xC8640A or (255 shl 24)

/** Returns a photo of 400 x 300 pixels, stored rotated by 90 degrees. */
private fun picture() = Bitmap(300, 400, IntArray(300 * 400) { COLOR }, listOf())

/** Returns the answer of the guide together with the answer of its Place.kt. */
private fun describeHere(numbers: List<Double?>, recognizer: CampusRecognizer, folder: String, labels: List<String>): String {
  val probabilities = numbers.drop(5).map { it!! }
  ImageClassifier.answers = labels.zip(probabilities).map { Category(it.first, it.second.toFloat()) }
  val place = Location(numbers[0]!!, numbers[1]!!, numbers[2]?.toFloat())
  val verdict = verdictOf(recognizer.answer(picture(), 90, place, numbers[3], numbers[4]))
  val decision = JSONObject(File(folder, "export.json").readText()).getJSONObject("notes").getJSONObject("decision")
  val found = Places(File(folder, "place.json").readText()).answer(
    probabilities, decision.getDouble("least_odds"), decision.getDouble("least_share"), numbers[0]!!, numbers[1]!!, numbers[2],
    numbers[3], numbers[4])
  if (found == null || verdict == "not_on_campus") return verdict
  check(found.verdict == verdict)
  val best = found.candidates.take(3).map { "${it.first.label}=${it.second}" }
  return (listOf(verdict, found.buildings.joinToString(",") { it.label }) + best).joinToString(" ")
}

fun main(folders: Array<String>) {
  for (folder in folders) {
    val notes = JSONObject(File(folder, "export.json").readText()).getJSONObject("notes")
    val labels = notes.getJSONArray("labels").let { all -> (0 until all.length()).map { all.getString(it) } }
    CampusRecognizer(Context(File(folder))).use { recognizer ->
      val answers = File(folder, "cases.txt").readLines().map { line ->
        val words = line.split(" ")
        if (words[0] == "here") {
          describeHere(words.drop(1).map { it.toDoubleOrNull() }, recognizer, folder, labels)
        } else if (words[0] == "p") {
          ImageClassifier.answers = labels.zip(words.drop(1)).map { Category(it.first, it.second.toFloat()) }
          recognizer.answer(picture(), 90).text
        } else {
          val place = Location(words[1].toDouble(), words[2].toDouble(), words[3].toFloatOrNull())
          recognizer.answer(picture(), 90, place).text
        }
      }
      val square = ImageClassifier.seen!!.bitmap
      val side = notes.getJSONObject("input").getInt("side")
      check(square.width == side && square.height == side && square.pixels.all { it == COLOR })
      println("part " + Bitmap.used.joinToString(" "))
      answers.forEach(::println)
    }
  }
}
