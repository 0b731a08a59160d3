package campus

import android.content.Context
import android.graphics.Bitmap
import android.graphics.BitmapFactory
import android.graphics.Matrix
import android.location.Location
import androidx.exifinterface.media.ExifInterface
import com.google.mediapipe.framework.image.BitmapImageBuilder
import com.google.mediapipe.tasks.core.BaseOptions
import com.google.mediapipe.tasks.vision.imageclassifier.ImageClassifier
import java.io.Closeable
import java.io.File
import java.io.IOException
import org.json.JSONObject

/** Recognizes the building in a photo. */
class CampusRecognizer(context: Context) : Closeable {
  private val classifier = ImageClassifier.createFromOptions(
    context,
    ImageClassifier.ImageClassifierOptions.builder()
      .setBaseOptions(BaseOptions.builder().setModelAssetPath("campus.tflite").build())
      .build())
  private val notes = JSONObject(context.text("export.json")).getJSONObject("notes")
  private val decision = CampusDecision(notes.getJSONObject("decision"))
  private val side = notes.getJSONObject("input").getInt("side")
  private val labels = notes.getJSONArray("labels").let { all -> (0 until all.length()).map { all.getString(it) } }
  private val map = context.found("campus.geojson")?.let { CampusMap(it) }
  private val places = context.found("place.json")?.let { Places(it) }

  /** Classifies a photo from a file, using its EXIF orientation. For heading and view, see Places. */
  fun answer(photo: File, place: Location? = null, heading: Double? = null, view: Double? = null): Answer =
    answer(decoded(photo), ExifInterface(photo).rotationDegrees, place, heading, view)

  /** The probabilities of all labels for a photo from a file. */
  fun probabilities(photo: File) = probabilities(upright(decoded(photo), ExifInterface(photo).rotationDegrees))

  private fun decoded(photo: File): Bitmap {
    val options = BitmapFactory.Options().apply { inJustDecodeBounds = true }
    BitmapFactory.decodeFile(photo.path, options)
    options.inJustDecodeBounds = false
    options.inSampleSize = 1
    val shorter = minOf(options.outWidth, options.outHeight)
    while (shorter / (2 * options.inSampleSize) >= side) options.inSampleSize *= 2
    return BitmapFactory.decodeFile(photo.path, options) ?: throw IOException("$photo: cannot be decoded")
  }

  private fun upright(bitmap: Bitmap, rotation: Int): Bitmap {
    val turn = Matrix().apply { postRotate(rotation.toFloat()) }
    return Bitmap.createBitmap(bitmap, 0, 0, bitmap.width, bitmap.height, turn, false)
  }

  private fun probabilities(upright: Bitmap): List<Pair<String, Double>> {
    val part = upright // the whole photo is stretched to the square
    val result = classifier.classify(BitmapImageBuilder(squared(part)).build())
    return result.classificationResult().classifications()[0].categories().map { it.categoryName() to it.score().toDouble() }
  }

  /** Classifies an image. `rotation` is the clockwise rotation that makes it upright: 0, 90, 180 or 270 degrees. */
  fun answer(
    bitmap: Bitmap, rotation: Int, place: Location? = null, heading: Double? = null, view: Double? = null
  ): Answer {
    val error = if (place?.hasAccuracy() == true) place.accuracy.toDouble() else null
    if (map != null && place != null) {
      if (map.isOutside(place.latitude, place.longitude, error)) return Answer.NotOnCampus
    }
    val upright = upright(bitmap, rotation)
    val probabilities = probabilities(upright)
    if (places != null && place != null) {
      val usual = if (upright.width < upright.height) places.c("upright_view_deg") else null
      val given = probabilities.toMap()
      val found = places.answer(
        labels.map { given[it] ?: 0.0 }, decision.leastOdds, decision.leastShare, place.latitude, place.longitude, error,
        heading, view?.takeIf { it.isFinite() } ?: usual)
      if (found != null) return found.toAnswer()
    }
    return decision.answer(probabilities) {
      map?.records?.get(it)?.optString("name") ?: it
    }
  }

  /** Resizes the whole image to a square by area averaging. */
  private fun squared(bitmap: Bitmap): Bitmap {
    val (width, height) = bitmap.width to bitmap.height
    val source = IntArray(width * height)
    bitmap.getPixels(source, 0, width, 0, 0, width, height)
    val sums = FloatArray(side * side * 3)
    for (y in 0 until height) {
      val row = FloatArray(side * 3)
      for (x in 0 until width) {
        val pixel = source[y * width + x]
        spread(x, width) { column, share ->
          for (channel in 0..2) {
            row[3 * column + channel] += share * (pixel shr (16 - 8 * channel) and 255)
          }
        }
      }
      spread(y, height) { line, share ->
        for (i in row.indices) sums[line * side * 3 + i] += share * row[i]
      }
    }
    val pixels = IntArray(side * side) { index ->
      (0..2).fold(255) { pixel, channel ->
        pixel shl 8 or (sums[3 * index + channel] + 0.5f).toInt().coerceAtMost(255)
      }
    }
    return Bitmap.createBitmap(pixels, side, side, Bitmap.Config.ARGB_8888)
  }

  /** Calls `use` with each of the `side` output positions that a pixel overlaps, and the overlap. */
  private inline fun spread(index: Int, length: Int, use: (Int, Float) -> Unit) {
    for (place in index * side / length..((index + 1) * side - 1) / length) {
      val first = maxOf(index * side, place * length)
      val last = minOf((index + 1) * side, (place + 1) * length)
      use(place, (last - first).toFloat() / length)
    }
  }

  override fun close() = classifier.close()
}

private fun Context.found(asset: String) = if (asset in assets.list("").orEmpty()) text(asset) else null

private fun Context.text(asset: String) = assets.open(asset).bufferedReader().use { it.readText() }
