import AVFoundation
import CoreGraphics
import Cupola
import Foundation
import SwiftUI

/// The state of the screen: the last frame, the steady answer and the phone's position.
@MainActor
final class Lens: ObservableObject {
  @Published private(set) var answer: LiveAnswer?
  @Published private(set) var picture: CGImage?
  @Published private(set) var position: Position?
  @Published private(set) var problem: String?

  private(set) var campus: Campus?
  private var candidates: [(label: String, probability: Double)] = []

  private let camera = Camera()
  private let locations = LocationTracker()

  /// Loads the app's `campus.safetensors` and starts the camera.
  func start() async {
    guard answer == nil, campus == nil else { return }
    guard await AVCaptureDevice.requestAccess(for: .video) else {
      problem = "Allow the camera in Settings to name buildings."
      return
    }
    guard let file = Bundle.main.url(forResource: "campus", withExtension: "safetensors"),
      let model = try? Model(bytes: Array(Data(contentsOf: file)))
    else {
      problem = "campus.safetensors is missing or is not a model."
      return
    }
    campus = model.campus
    locations.start { [weak self] position, heading in
      self?.position = position
      self?.camera.place.set(position, heading)
    }
    let started = camera.start(LiveRecognizer(Recognizer(model: model))) { seen in
      Task { @MainActor [weak self] in
        self?.answer = seen.answer
        self?.candidates = seen.candidates
        self?.picture = seen.picture
      }
    }
    if !started { problem = "This device has no rear camera." }
  }

  var headline: String {
    answer?.text(in: campus, candidates: candidates).title ?? "Looking..."
  }

  var hint: String? { answer?.hint.flatMap { Self.hints[$0] } }

  private static let hints: [LiveHint: String] = [
    .holdStill: "Hold still", .moreLight: "Too dark", .lessLight: "Too bright",
    .stepBack: "Step back", .stepNearer: "Step nearer", .moveLeft: "Move left",
    .moveRight: "Move right",
  ]
}
