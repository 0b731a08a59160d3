import Cupola
import CupolaTraining

/// How much a model keeps of the photos that trained it. What it keeps of Cupola's own drawn pictures tells about
/// nobody, and is counted apart.
struct TraceCounts {
  private let all: Model
  /// The model without what it keeps of the drawn pictures.
  private let ofPhotos: Model

  init(_ model: Model) {
    all = model
    var ofPhotos = model
    for label in DrawnPhotos.labels {
      ofPhotos.provenance.photoHashes[label] = nil
      ofPhotos.provenance.photoMiddles[label] = nil
      ofPhotos.provenance.photoDigests[label] = nil
    }
    self.ofPhotos = ofPhotos
  }

  /// By the names of traces.
  var photos: [String: Int] { Self.byName(countOfPhotos) }
  var drawn: [String: Int] { Self.byName(countOfDrawn) }

  /// For people; nothing of drawn pictures where there are none.
  var text: String {
    let photos = TrainingTrace.allCases.map { "\(countOfPhotos($0)) \($0.rawValue)" }
      .joined(separator: ", ")
    let drawn = TrainingTrace.allCases.filter { countOfDrawn($0) > 0 }
      .map { "\(countOfDrawn($0)) \($0.rawValue)" }.joined(separator: ", ")
    let labels = all.labels.names.filter(DrawnPhotos.labels.contains).joined(separator: ", ")
    return "\(photos) of training photos"
      + (drawn.isEmpty ? "" : "; \(drawn) of Cupola's drawn pictures (\(labels))")
  }

  private func countOfPhotos(_ trace: TrainingTrace) -> Int { ofPhotos.count(of: trace) }

  private func countOfDrawn(_ trace: TrainingTrace) -> Int {
    all.count(of: trace) - countOfPhotos(trace)
  }

  private static func byName(_ count: (TrainingTrace) -> Int) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: TrainingTrace.allCases.map { ($0.rawValue, count($0)) })
  }
}
