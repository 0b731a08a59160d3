import Accessibility
import Cupola
import Foundation
import PhotosUI
import SwiftUI
import UIKit

/// The camera's image above the answer, the candidates, the buildings nearby and the map.
struct LensView: View {
  @State private var lens = Lens()
  @State private var item: PhotosPickerItem?
  @Environment(\.scenePhase) private var phase

  var body: some View {
    VStack(spacing: 0) {
      if lens.isRunning { preview }
      // A scroll view, because large text does not fit on the screen.
      ScrollView {
        VStack(alignment: .leading, spacing: 16) {
          if let problem = lens.problem { problemView(problem) }
          if let text = lens.text { answer(text) }
          buttons
          NearbyList(buildings: lens.nearby)
          if let campus = lens.campus {
            CampusMap(campus: campus, highlighted: highlighted)
              .frame(height: 280)
              .clipShape(RoundedRectangle(cornerRadius: 12))
          }
        }
        .padding()
      }
    }
    .task(id: phase) { if phase == .active { await lens.start() } }
    .task(id: item) { if let item { await lens.open(item) } }
    .onChange(of: lens.text?.title ?? "") { _, title in
      AccessibilityNotification.Announcement(title).post()
    }
    .sheet(item: $lens.shown) { StillView(shown: $0, campus: lens.campus) }
  }

  private var preview: some View {
    CameraPreview(session: lens.camera.session)
      // The whole frame, which is what the model receives.
      .aspectRatio(3 / 4, contentMode: .fit)
      .accessibilityLabel("Camera")
      .overlay(alignment: .bottom) {
        if let hint = lens.hint {
          Text(hint)
            .font(.headline)
            .padding()
            .background(.regularMaterial, in: Capsule())
            .padding()
        }
      }
  }

  private func answer(_ text: AnswerText) -> some View {
    let isUnsure = lens.answer?.verdict == .unsure
    return VStack(alignment: .leading, spacing: 12) {
      AnswerView(text: text, building: lens.answer?.building)
        .accessibilityAddTraits(.updatesFrequently)
      if isUnsure { CandidateList(candidates: lens.candidates, campus: lens.campus) }
    }
  }

  private var highlighted: [String] {
    switch lens.answer?.verdict {
    case .building: [lens.answer?.label ?? ""]
    case .unsure: lens.candidates.map(\.label)
    default: []
    }
  }

  private func problemView(_ problem: String) -> some View {
    VStack(alignment: .leading, spacing: 12) {
      Label(problem, systemImage: "exclamationmark.triangle")
      if lens.needsPermission, let settings = URL(string: UIApplication.openSettingsURLString) {
        Link("Open Settings", destination: settings)
      }
    }
  }

  private var buttons: some View {
    HStack(spacing: 16) {
      if lens.isRunning {
        Button("Explain", systemImage: "eye") { Task { await lens.takeStill() } }
          .accessibilityHint("Answers the current image and shows the reasons")
      }
      PhotosPicker(selection: $item, matching: .images) {
        Label("Choose a Photo", systemImage: "photo")
      }
    }
    .buttonStyle(.bordered)
  }
}
