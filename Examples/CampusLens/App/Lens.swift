import AVFoundation
import Cupola
import Foundation
import Observation
import PhotosUI
import SwiftUI
import UIKit

// 1. Load the model, then start position and camera.
// 2. Publish the steady answer for the camera's frames, and the buildings nearby.
// 3. Answer a frame or a chosen photo on its own.

/// The state of the screen.
@MainActor @Observable
final class Lens {
  /// A photo and its answer.
  struct Shown: Identifiable {
    let id = UUID()
    let picture: Image
    let answer: StillAnswer
  }

  private(set) var answer: LiveAnswer?
  private(set) var candidates: [Candidate] = []
  /// The buildings within 100 m, nearest first.
  private(set) var nearby: [NearbyBuilding] = []
  private(set) var problem: String?
  private(set) var needsPermission = false
  private(set) var isRunning = false
  private(set) var campus: Campus?
  /// The photo that the user looks at.
  var shown: Shown?

  let camera = Camera()
  private let locations = LocationTracker()
  private var stills: StillRecognizer?

  /// Loads `campus.safetensors` and starts the camera. Does nothing if the camera runs.
  func start() async {
    guard !isRunning else { return }
    guard let file = Bundle.main.url(forResource: "campus", withExtension: "safetensors") else {
      problem = "The app contains no campus.safetensors; see README.md."
      return
    }
    do {
      let model = try Model(contentsOf: file)
      campus = model.campus
      stills = StillRecognizer(model)
      await start(model)
    } catch {
      problem = error.message
    }
  }

  private func start(_ model: Model) async {
    locations.start { [weak self] in self?.moved(to: $0, heading: $1) }
    needsPermission = await !AVCaptureDevice.requestAccess(for: .video)
    guard !needsPermission else {
      problem = "Allow the camera in Settings to recognize buildings."
      return
    }
    let live = LiveRecognizer(Recognizer(model: model))
    isRunning = camera.start(live) { answer, candidates in
      Task { @MainActor [weak self] in
        self?.answer = answer
        self?.candidates = candidates
      }
    }
    problem = isRunning ? nil : "This device has no rear camera. You can choose a photo."
  }

  private func moved(to position: Position?, heading: Heading?) {
    camera.place.set(position, heading)
    nearby = position.flatMap { campus?.buildings(near: $0, within: 100, heading: heading) } ?? []
  }

  // MARK: - Texts

  /// The answer for the camera's frames.
  var text: AnswerText? {
    answer?.text(in: campus, candidates: candidates.map { ($0.label, $0.probability) })
  }

  var hint: String? {
    answer?.hint.map { hint in
      switch hint {
      case .holdStill: "Hold still"
      case .moreLight: "Too dark"
      case .lessLight: "Too bright"
      case .stepBack: "Step back"
      case .stepNearer: "Step nearer"
      case .moveLeft: "Move left"
      case .moveRight: "Move right"
      }
    }
  }

  // MARK: - Photos

  /// Shows the last frame with its answer.
  func takeStill() async {
    guard let stills, let frame = await camera.still() else { return }
    let (position, heading) = camera.place.last
    await show(Image(decorative: frame.picture, scale: 1, orientation: .right)) {
      try await stills.answer(frame, at: position, heading: heading)
    }
  }

  /// Shows a photo from the library with its answer.
  func open(_ item: PhotosPickerItem) async {
    guard let stills, let file = try? await item.loadTransferable(type: Data.self),
      let picture = UIImage(data: file)
    else { return }
    await show(Image(uiImage: picture)) { try await stills.answer(file) }
  }

  private func show(_ picture: Image, answer: () async throws -> StillAnswer) async {
    do {
      shown = Shown(picture: picture, answer: try await answer())
      if isRunning { problem = nil }
    } catch {
      problem = (error as? CupolaError)?.message ?? error.localizedDescription
    }
  }
}
