package import Cupola

/// What a model makes of recorded sessions whose truth is known, frame after frame, beside what it makes of the single
/// frames.
package struct SequenceEvaluation: Sendable {
  /// A frame with what was shown.
  struct Frame: Equatable, Sendable {
    /// The label of what it shows; `nil` for nothing that the model knows.
    var truth: String?
    /// The name that the steady answer shows.
    var shown: String?
    /// The name that the frame by itself would get.
    var single: String?
    /// The best building of the frame by itself, and how sure it is.
    var best: String?
    var odds: Double

    init(
      truth: String?, shown: String?, single: String?, best: String?, odds: Double
    ) {
      (self.truth, self.shown, self.single) = (truth, shown, single)
      (self.best, self.odds) = (best, odds)
    }
  }

  /// Of each session, its frames.
  private var sessions: [[Frame]] = []
  /// Frames that could not be read.
  package private(set) var failures: [(file: String, error: CupolaError)] = []

  package init() {}

  /// Looks at a session.
  ///
  /// - Parameter usingPlace: `false` ignores every position and heading.
  package mutating func add(
    _ session: SessionFolder, by recognizer: Recognizer, usingPlace: Bool = true
  ) {
    var live = LiveRecognizer(recognizer)
    let labels = recognizer.model.labels
    // A frame of a background shows nothing that could be named.
    let buildings = Set(labels.buildings.map { labels.names[$0] })
    var frames: [Frame] = []
    for frame in session.frames {
      do throws(CupolaError) {
        let (image, metadata) = try session.picture(of: frame, for: recognizer)
        let shot = Shot(
          of: image, metadata, at: usingPlace ? frame.position : nil,
          heading: usingPlace ? frame.heading : nil)
        let answer = try live.update(image, taken: shot, time: frame.time)
        let alone = try recognizer.recognize(image, taken: shot)
        let truth = frame.truth.flatMap { buildings.contains($0) ? $0 : nil }
        frames.append(
          Frame(
            truth: truth, shown: answer.label, single: alone.label,
            best: alone.candidates.first?.label, odds: alone.odds ?? .infinity))
      } catch {
        failures.append((session.path(of: frame), error))
      }
    }
    // What cannot be read shows neither a building nor none.
    if !frames.isEmpty { sessions.append(frames) }
  }

  /// The figures of all sessions.
  package var figures: SequenceFigures { SequenceFigures(sessions) }
}
