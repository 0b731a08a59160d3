package lens

import android.Manifest.permission.ACCESS_COARSE_LOCATION
import android.Manifest.permission.ACCESS_FINE_LOCATION
import android.Manifest.permission.CAMERA
import android.content.pm.PackageManager.PERMISSION_GRANTED
import androidx.activity.compose.rememberLauncherForActivityResult
import androidx.activity.result.contract.ActivityResultContracts.RequestMultiplePermissions
import androidx.camera.view.CameraController
import androidx.camera.view.LifecycleCameraController
import androidx.camera.view.PreviewView
import androidx.compose.foundation.layout.Arrangement
import androidx.compose.foundation.layout.Column
import androidx.compose.foundation.layout.aspectRatio
import androidx.compose.foundation.layout.fillMaxSize
import androidx.compose.foundation.layout.fillMaxWidth
import androidx.compose.foundation.layout.padding
import androidx.compose.foundation.layout.systemBarsPadding
import androidx.compose.foundation.rememberScrollState
import androidx.compose.foundation.verticalScroll
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.Surface
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.LocalContext
import androidx.compose.ui.semantics.LiveRegionMode
import androidx.compose.ui.semantics.contentDescription
import androidx.compose.ui.semantics.heading
import androidx.compose.ui.semantics.liveRegion
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.unit.dp
import androidx.compose.ui.viewinterop.AndroidView
import androidx.lifecycle.compose.LocalLifecycleOwner
import campus.Answer
import java.util.Locale

/** The camera's image above the answer and the candidates. */
@Composable
fun LensScreen(lens: Lens) {
  val context = LocalContext.current
  var hasCamera by remember { mutableStateOf(context.checkSelfPermission(CAMERA) == PERMISSION_GRANTED) }
  val permissions = rememberLauncherForActivityResult(RequestMultiplePermissions()) { granted ->
    hasCamera = granted[CAMERA] ?: hasCamera
    lens.place.start()
  }
  LaunchedEffect(Unit) { permissions.launch(arrayOf(CAMERA, ACCESS_FINE_LOCATION, ACCESS_COARSE_LOCATION)) }
  Surface(Modifier.fillMaxSize()) {
    // Scrolls, because large text does not fit on the screen.
    Column(Modifier.systemBarsPadding().verticalScroll(rememberScrollState())) {
      if (hasCamera) CameraPreview(lens)
      AnswerText(if (hasCamera) lens.answer?.title ?: "Looking..." else "Allow the camera in Settings to recognize buildings.")
      Candidates(lens.answer)
    }
  }
}

/** The camera's image at its full frame rate, in the shape of the frames that are recognized. */
@Composable
fun CameraPreview(lens: Lens) {
  val (context, owner) = LocalContext.current to LocalLifecycleOwner.current
  val controller = remember {
    LifecycleCameraController(context).apply {
      setEnabledUseCases(CameraController.IMAGE_ANALYSIS)
      setImageAnalysisAnalyzer(lens.thread, lens)
      bindToLifecycle(owner)
    }
  }
  AndroidView(
    factory = { PreviewView(it).apply { this.controller = controller } },
    modifier = Modifier.fillMaxWidth().aspectRatio(3f / 4).semantics { contentDescription = "Camera" })
}

/** The answer in large text, which TalkBack reads when it changes. */
@Composable
fun AnswerText(title: String) {
  Text(
    title, style = MaterialTheme.typography.headlineMedium,
    modifier = Modifier.padding(16.dp).semantics {
      heading()
      liveRegion = LiveRegionMode.Polite
    })
}

/** The probability of the building, the candidates if the answer is unsure, or why a mapped building is probable. */
@Composable
fun Candidates(answer: Answer?) {
  val lines = when (answer) {
    is Answer.Building -> listOf("%.1f%%".format(Locale.ROOT, 100 * answer.probability))
    is Answer.MappedBuilding -> listOf("No training photos; based on the position")
    is Answer.Unsure -> listOf(answer.first, answer.second)
    else -> emptyList()
  }
  Column(Modifier.padding(16.dp), verticalArrangement = Arrangement.spacedBy(8.dp)) {
    lines.forEach { Text(it, style = MaterialTheme.typography.titleMedium) }
  }
}

/** The answer without the probability, as in `cupola classify`. */
val Answer.title get() = if (this is Answer.Building) name else text
