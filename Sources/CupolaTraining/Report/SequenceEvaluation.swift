package import Cupola

// 1. Process each session's frames with a live recognizer and with a single-frame recognizer.
// 2. Count names, changes, gaps and delays (SequenceFigures).

/// Compares live recognition of recorded sessions with recognition of the individual frames.
package struct SequenceEvaluation: Sendable {
  struct Frame: Equatable, Sendable {
    var truth: String?
    var shown: String?
    var single: String?
    /// The best building for the single frame, with its odds against all other answers.
    var best: String?
    var odds: Double
  }

  private var sessions: [[Frame]] = []
  package private(set) var failures: [(file: String, error: CupolaError)] = []

  package init() {}

  /// - Parameter usingPlace: Whether to use positions and headings.
  package mutating func add(
    _ session: SessionFolder, by recognizer: Recognizer, usingPlace: Bool = true
  ) {
    var live = LiveRecognizer(recognizer)
    let labels = recognizer.model.labels
    // Background labels do not count as names.
    let buildings = Set(labels.buildings.map { labels.names[$0] })
    var frames: [Frame] = []
    for frame in session.frames {
      do throws(CupolaError) {
        let (image, metadata) = try session.picture(of: frame, for: recognizer)
        let shot = CaptureInfo(
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
    // Skip sessions without readable frames, because they have no true label.
    if !frames.isEmpty { sessions.append(frames) }
  }

  package var figures: SequenceFigures { SequenceFigures(sessions) }
}

/// The stability and accuracy of names in sessions.
package struct SequenceFigures: Equatable, Sendable {
  /// The numbers of sessions with and without a building of the model.
  package private(set) var sessions = 0
  package private(set) var unknownSessions = 0
  package private(set) var frames = 0
  /// The fraction of these frames with a name, and the fraction of the names that are wrong; `nil` if there are none.
  package private(set) var named: Double?
  package private(set) var wrong: Double?
  /// The fraction of wrong names among an equal number of single frames, starting with the most confident.
  package private(set) var singleWrong: Double?
  /// The fraction of named frames in sessions without buildings, in live recognition and in single frames.
  package private(set) var unknownNamed: Double?
  package private(set) var unknownSingleNamed: Double?
  /// The number of changes from one name to another, and the number of changes of the true building.
  package private(set) var nameChanges = 0
  package private(set) var trueChanges = 0
  /// The number of times a name disappears and returns while the building stays the same.
  package private(set) var gaps = 0
  /// The number of frames from the start of each building until it is named; `nil` if it is never named.
  package private(set) var framesToName: [Int?] = []
  /// The number of frames from the end of a named building until its name disappears, if no known building follows.
  package private(set) var framesToGo: [Int] = []
  private typealias Frame = SequenceEvaluation.Frame

  init(_ sessions: [[SequenceEvaluation.Frame]]) {
    let known = sessions.filter { $0.contains { $0.truth != nil } }
    let unknown = sessions.filter { !$0.contains { $0.truth != nil } }
    (self.sessions, unknownSessions) = (known.count, unknown.count)
    let all = known.flatMap(\.self)
    frames = all.count
    let shown = all.filter { $0.shown != nil }
    named = Self.share(shown.count, all.count)
    wrong = Self.share(shown.count { $0.shown != $0.truth }, shown.count)
    singleWrong = Self.wrongSingles(all, count: shown.count)
    let strange = unknown.flatMap(\.self)
    unknownNamed = Self.share(strange.count { $0.shown != nil }, strange.count)
    unknownSingleNamed = Self.share(strange.count { $0.single != nil }, strange.count)
    for session in known { add(session) }
  }

  private static func share(_ part: Int, _ whole: Int) -> Double? {
    Share(right: part, of: whole).accuracy
  }

  /// Sorts given names first, then the others, most confident first; frames off campus have no name.
  private static func wrongSingles(_ frames: [Frame], count: Int) -> Double? {
    let surest = frames.filter { $0.best != nil }.sorted {
      ($0.single != nil ? 1 : 0, $0.odds) > ($1.single != nil ? 1 : 0, $1.odds)
    }
    return share(surest.prefix(count).count { $0.best != $0.truth }, count)
  }

  private mutating func add(_ session: [Frame]) {
    nameChanges += Self.changes(session.map(\.shown))
    trueChanges += Self.changes(session.map(\.truth))
    var start = 0
    while start < session.count {
      let truth = session[start].truth
      let end = session[start...].firstIndex { $0.truth != truth } ?? session.count
      add(session[start..<end], after: start > 0 ? session[start - 1].shown : nil)
      start = end
    }
  }

  private mutating func add(_ stretch: ArraySlice<Frame>, after last: String?) {
    let shown = stretch.map(\.shown)
    if let truth = stretch.first?.truth {
      framesToName.append(shown.firstIndex(of: truth).map { $0 + 1 })
      let right = shown.map { $0 == truth }
      let ends = zip(right, right.dropFirst()).count { $0 && !$1 }
      gaps += max(0, right.last == true ? ends : ends - 1)
    } else if let last {
      framesToGo.append(shown.firstIndex { $0 != last } ?? shown.count)
    }
  }

  private static func changes(_ names: [String?]) -> Int {
    let present = names.compactMap(\.self)
    return zip([nil] + present.map(Optional.some), present).count { $0 != $1 }
  }

  package var medianFramesToName: Int? {
    let sorted = framesToName.sorted { ($0 ?? .max) < ($1 ?? .max) }
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  package var medianFramesToGo: Int? {
    framesToGo.isEmpty ? nil : framesToGo.sorted()[framesToGo.count / 2]
  }
}

extension SequenceFigures {
  package var json: JSONObject {
    [
      "schema": "cupola.sequences/1", "sessions": sessions, "unknown_sessions": unknownSessions,
      "frames": frames, "named": named, "wrong": wrong, "single_wrong": singleWrong,
      "unknown_named": unknownNamed, "unknown_single_named": unknownSingleNamed,
      "name_changes": nameChanges, "true_changes": trueChanges, "gaps": gaps,
      "frames_to_name": medianFramesToName, "never_named": framesToName.count { $0 == nil },
      "frames_to_go": medianFramesToGo, "frames_to_go_most": framesToGo.max(),
    ]
  }
}
