package androidx.exifinterface.media

import java.io.File

class ExifInterface(file: File) {
  val rotationDegrees = 90
}
