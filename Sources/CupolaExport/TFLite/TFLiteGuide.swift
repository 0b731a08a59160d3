internal import Cupola

/// What an Android app does with a TFLite export: the Kotlin part of its README.
enum TFLiteGuide {
  /// The text, in Markdown, for a model file called `file` with pictures of this geometry.
  static func text(file: String, geometry: Geometry) -> String {
    """
    ## Kotlin

    For Android 7 (API level 24) and later, with MediaPipe Tasks. In the module's `build.gradle.kts`:

    ```kotlin
    dependencies {
      implementation("com.google.mediapipe:tasks-vision:latest.release")
      implementation("androidx.exifinterface:exifinterface:latest.release")
    }
    ```

    Copy `\(file)`, `export.json` and, if there is one, `campus.geojson` into `src/main/assets`. The
    model turns pixels into probabilities and brings its labels: there is no feature code to write, and no
    file of labels. Three things are the app's: photos upright, \(shape(geometry)), and the decision below.

    ```kotlin
    \(source(file: file, geometry: geometry))
    ```

    Use it, on a thread of its own:

    ```kotlin
    CampusRecognizer(context).use { recognizer ->
      when (val answer = recognizer.answer(photo, location?.latitude, location?.longitude)) {
        is Answer.Building -> println("${answer.name} ${answer.probability}")
        is Answer.Unsure -> println("${answer.first} or ${answer.second}?")
        Answer.NotACampusBuilding -> println("Not a Campus Building")
        Answer.NotOnCampus -> println("Not on Campus")
      }
    }
    ```

    - Orientation matters most: a photo turned by 90 degrees is as good as unknown. For frames of CameraX
      take `imageInfo.rotationDegrees`. `ImageProcessingOptions.setRotationDegrees` turns the same way, but
      samples between the pixels. Mirrored photos, as some front cameras save them, have to be
      mirrored back before.
    \(picture(geometry))
    - Label 0 is `\(Graph.notACampusBuilding)`: everything that is no building of the campus.
    - `cupola.json` in the file, which is also a ZIP archive, holds labels, thresholds and geometry for
      tools that look for them; `labels.txt` beside it is what MediaPipe reads.
    - LiteRT alone runs the model as well: input `image`, 8-bit RGB, 1 x side x side x 3; output
      `probabilities`, in the order of `labels.txt`.
    - `golden` holds pictures of the model's size with the probabilities that a device must give, see
      `expected.json`.

    """
  }

  private static func shape(_ geometry: Geometry) -> String {
    geometry == .centreCrop ? "cropped to their middle square" : "whole and not cropped"
  }

  private static func picture(_ geometry: Geometry) -> String {
    geometry == .centreCrop
      ? "- The middle square is cut out, and made smaller here: MediaPipe would skip pixels."
      : "- Photos are squashed to a square here: MediaPipe would do it too, but skip pixels."
  }

  private static func source(file: String, geometry: Geometry) -> String {
    [imports, answers, recognizer(file: file, geometry: geometry), map].joined(separator: "\n\n")
  }

  private static let imports = """
    import android.content.Context
    import android.graphics.Bitmap
    import android.graphics.BitmapFactory
    import android.graphics.Matrix
    import androidx.exifinterface.media.ExifInterface
    import com.google.mediapipe.framework.image.BitmapImageBuilder
    import com.google.mediapipe.tasks.components.containers.Category
    import com.google.mediapipe.tasks.core.BaseOptions
    import com.google.mediapipe.tasks.vision.imageclassifier.ImageClassifier
    import java.io.Closeable
    import java.io.File
    import java.io.IOException
    import kotlin.math.ln
    import org.json.JSONArray
    import org.json.JSONObject
    """

  private static let answers = """
    sealed interface Answer {
      data class Building(val name: String, val label: String, val probability: Float) : Answer
      data class Unsure(val first: String, val second: String) : Answer
      data object NotACampusBuilding : Answer
      data object NotOnCampus : Answer
    }
    """

  private static func recognizer(file: String, geometry: Geometry) -> String {
    """
    /** Names the building in a photo. */
    class CampusRecognizer(context: Context) : Closeable {
      private val classifier = ImageClassifier.createFromOptions(
        context,
        ImageClassifier.ImageClassifierOptions.builder()
          .setBaseOptions(BaseOptions.builder().setModelAssetPath("\(file)").build())
          .build())
      private val decision = JSONObject(context.text("export.json"))
        .getJSONObject("notes").getJSONObject("decision")
      private val leastOdds = decision.getDouble("least_odds")
      private val leastShare = decision.getDouble("least_share")
      private val side = JSONObject(context.text("export.json"))
        .getJSONObject("notes").getJSONObject("input").getInt("side")
      private val map =
        if ("campus.geojson" in context.assets.list("").orEmpty()) CampusMap(context.text("campus.geojson"))
        else null

      /** A photo from a file, turned as its EXIF orientation says. */
      fun answer(photo: File, latitude: Double? = null, longitude: Double? = null): Answer {
        val options = BitmapFactory.Options().apply { inJustDecodeBounds = true }
        BitmapFactory.decodeFile(photo.path, options)
        options.inJustDecodeBounds = false
        options.inSampleSize = 1
        val shorter = minOf(options.outWidth, options.outHeight)
        while (shorter / (2 * options.inSampleSize) >= side) options.inSampleSize *= 2
        val bitmap = BitmapFactory.decodeFile(photo.path, options)
          ?: throw IOException("$photo is no photo")
        return answer(bitmap, ExifInterface(photo).rotationDegrees, latitude, longitude)
      }

      /** A picture; `rotation` says how far to turn it clockwise until it is upright: 0, 90, 180, 270. */
      fun answer(
        bitmap: Bitmap, rotation: Int, latitude: Double? = null, longitude: Double? = null
      ): Answer {
        if (map != null && latitude != null && longitude != null &&
          !map.contains(latitude, longitude)) return Answer.NotOnCampus
        val turn = Matrix().apply { postRotate(rotation.toFloat()) }
        val upright = Bitmap.createBitmap(bitmap, 0, 0, bitmap.width, bitmap.height, turn, false)
        val result = classifier.classify(BitmapImageBuilder(squared(\(bitmap(geometry)))).build())
        return decide(result.classificationResult().classifications()[0].categories())
      }

      private fun decide(categories: List<Category>): Answer {
        val (none, buildings) = categories.partition { it.index() == 0 }
        val ranked = buildings.sortedByDescending { it.score() }
        val nothing = none.firstOrNull()?.score() ?: 0f
        val best = ranked.firstOrNull()
        if (best == null || best.score() <= 0f) return Answer.NotACampusBuilding
        if (nothing > 0f && ln(best.score().toDouble() / nothing) < leastOdds) {
          return Answer.NotACampusBuilding
        }
        val all = ranked.sumOf { it.score().toDouble() }
        if (best.score() / all >= leastShare) {
          return Answer.Building(name(best), best.categoryName(), best.score())
        }
        val second = ranked.getOrNull(1)
        return if (second != null && (best.score() + second.score()) / all >= leastShare) {
          Answer.Unsure(name(best), name(second))
        } else Answer.NotACampusBuilding
      }

      private fun name(category: Category) =
        map?.records?.get(category.categoryName())?.optString("name") ?: category.categoryName()

      /** The whole picture as a square; every pixel is the mean of what it covers. */
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

      /** Which of `side` places a pixel covers, and what share of each place. */
      private inline fun spread(index: Int, length: Int, use: (Int, Float) -> Unit) {
        for (place in index * side / length..((index + 1) * side - 1) / length) {
          val first = maxOf(index * side, place * length)
          val last = minOf((index + 1) * side, (place + 1) * length)
          use(place, (last - first).toFloat() / length)
        }
      }

      override fun close() = classifier.close()
    \(crop(geometry))}

    private fun Context.text(asset: String) = assets.open(asset).bufferedReader().use { it.readText() }
    """
  }

  private static func bitmap(_ geometry: Geometry) -> String {
    geometry == .centreCrop ? "middle(upright)" : "upright"
  }

  private static func crop(_ geometry: Geometry) -> String {
    geometry != .centreCrop
      ? ""
      : """

        private fun middle(bitmap: Bitmap): Bitmap {
          val side = minOf(bitmap.width, bitmap.height)
          return Bitmap.createBitmap(
            bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side)
        }

      """
  }

  private static let map = """
    /** campus.geojson: the grounds, and the records of the buildings. */
    class CampusMap(geoJSON: String) {
      /** Name, address and what else is known of each building, by its label. */
      val records = mutableMapOf<String, JSONObject>()
      /** Polygons of rings of positions, longitude first; rings after the first are holes. */
      private val polygons = mutableListOf<JSONArray>()

      init {
        for (feature in JSONObject(geoJSON).getJSONArray("features").objects()) {
          val properties = feature.getJSONObject("properties")
          if (properties.has("label")) records[properties.getString("label")] = properties
          if (properties.getString("role") != "boundary") continue
          val geometry = feature.getJSONObject("geometry")
          val coordinates = geometry.getJSONArray("coordinates")
          if (geometry.getString("type") == "Polygon") polygons.add(coordinates)
          else polygons.addAll(coordinates.arrays())
        }
      }

      /**
       * Whether a place is on the grounds: a ray from there crosses the rings of a polygon an odd
       * number of times. Not for grounds across the 180th meridian.
       */
      fun contains(latitude: Double, longitude: Double) = polygons.any { polygon ->
        var isInside = false
        for (ring in polygon.arrays()) {
          for ((a, b) in ring.arrays().zipWithNext()) {
            val (ax, ay) = a.getDouble(0) to a.getDouble(1)
            val (bx, by) = b.getDouble(0) to b.getDouble(1)
            if ((ay > latitude) != (by > latitude) &&
              ax + (latitude - ay) / (by - ay) * (bx - ax) > longitude) isInside = !isInside
          }
        }
        isInside
      }
    }

    private fun JSONArray.arrays() = (0 until length()).map { getJSONArray(it) }
    private fun JSONArray.objects() = (0 until length()).map { getJSONObject(it) }
    """
}
