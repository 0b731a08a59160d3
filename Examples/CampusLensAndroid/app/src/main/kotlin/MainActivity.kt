package lens

import android.os.Bundle
import androidx.activity.ComponentActivity
import androidx.activity.compose.setContent
import androidx.compose.foundation.isSystemInDarkTheme
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.darkColorScheme
import androidx.compose.material3.lightColorScheme

/** Names the building in front of the camera: a small app around the exported `CampusRecognizer`. */
class MainActivity : ComponentActivity() {
  private val lens by lazy { Lens(this) }

  override fun onCreate(savedInstanceState: Bundle?) {
    super.onCreate(savedInstanceState)
    setContent {
      MaterialTheme(colorScheme = if (isSystemInDarkTheme()) darkColorScheme() else lightColorScheme()) {
        LensScreen(lens)
      }
    }
  }

  override fun onStart() {
    super.onStart()
    lens.place.start()
  }

  override fun onStop() {
    lens.place.stop()
    super.onStop()
  }

  override fun onDestroy() {
    lens.close()
    super.onDestroy()
  }
}
