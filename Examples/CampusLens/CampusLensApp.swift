import SwiftUI

/// Names the building before the camera: an app of five files around `LiveRecognizer`.
@main
struct CampusLensApp: App {
  @StateObject private var lens = Lens()

  var body: some Scene {
    WindowGroup { LensView(lens: lens) }
  }
}
