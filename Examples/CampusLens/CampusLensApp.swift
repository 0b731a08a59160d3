import SwiftUI

/// Names the building in front of the camera: an app of five files around `LiveRecognizer`.
@main
struct CampusLensApp: App {
  @StateObject private var lens = Lens()

  var body: some Scene {
    WindowGroup { LensView(lens: lens) }
  }
}
