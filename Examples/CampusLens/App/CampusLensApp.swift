import SwiftUI

/// Names the building in front of the camera: a small app around `LiveRecognizer`.
@main
struct CampusLensApp: App {
  var body: some Scene {
    WindowGroup { LensView() }
  }
}
