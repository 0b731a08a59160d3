// Stubs of the Android context and assets that the guide and Examples/CampusLensAndroid use.
package android.content

import java.io.File
import java.io.InputStream

/** Reads the assets of an app from a folder. */
class AssetManager(private val folder: File) {
  fun list(path: String): Array<String>? = File(folder, path).list()
  fun open(name: String): InputStream = File(folder, name).inputStream()
}

open class Context(folder: File) {
  val assets = AssetManager(folder)
  fun <T> getSystemService(service: Class<T>): T = TODO("no services")
  fun checkSelfPermission(permission: String): Int = TODO("no permissions")
}
