// The parts of Android that the guide uses, after its documentation: context and assets.
package android.content

import java.io.File
import java.io.InputStream

/** The assets of an app are the files of a folder. */
class AssetManager(private val folder: File) {
  fun list(path: String): Array<String>? = File(folder, path).list()
  fun open(name: String): InputStream = File(folder, name).inputStream()
}

class Context(folder: File) {
  val assets = AssetManager(folder)
}
