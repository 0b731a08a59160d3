// Stubs of android.graphics. A bitmap records its part of the upright photo.
package android.graphics

class Matrix {
  var degrees = 0f
  fun postRotate(degrees: Float) { this.degrees += degrees }
}

class Bitmap(val width: Int, val height: Int, val pixels: IntArray, val part: List<Int>) {
  enum class Config { ARGB_8888 }

  fun getPixels(to: IntArray, offset: Int, stride: Int, x: Int, y: Int, width: Int, height: Int) {
    require(listOf(offset, stride, x, y, width, height) == listOf(0, this.width, 0, 0, this.width, this.height))
    pixels.copyInto(to)
    used = part
  }

  companion object {
    /** Rotates whole bitmaps only. */
    fun createBitmap(
      bitmap: Bitmap, x: Int, y: Int, width: Int, height: Int, matrix: Matrix, filter: Boolean
    ): Bitmap {
      require(x == 0 && y == 0 && width == bitmap.width && height == bitmap.height && !filter)
      require(matrix.degrees == 90f)
      return Bitmap(height, width, bitmap.pixels, listOf(0, 0, height, width))
    }

    fun createBitmap(bitmap: Bitmap, x: Int, y: Int, width: Int, height: Int): Bitmap {
      require(x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= bitmap.width && y + height <= bitmap.height)
      val pixels = IntArray(width * height) { bitmap.pixels[(y + it / width) * bitmap.width + x + it % width] }
      return Bitmap(width, height, pixels, listOf(bitmap.part[0] + x, bitmap.part[1] + y, width, height))
    }

    fun createBitmap(pixels: IntArray, width: Int, height: Int, config: Config) =
      Bitmap(width, height, pixels, listOf())

    /** The part whose pixels were last read. */
    var used = listOf<Int>()
  }
}

object BitmapFactory {
  class Options {
    var inJustDecodeBounds = false
    var inSampleSize = 0
    var outWidth = 0
    var outHeight = 0
  }

  fun decodeFile(path: String, options: Options): Bitmap? = TODO("no decoder")
}
