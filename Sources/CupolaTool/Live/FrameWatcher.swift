import ArgumentParser
import Cupola
import CupolaTraining

// 1. Update the stable answer with each frame. A single photo gets the answer of `cupola classify` instead.
// 2. Print the answer as JSON, as one line that is redrawn, or whenever it changes.

struct FrameWatcher {
  private let options: Watch
  private let recognizer: Recognizer
  private var live: LiveRecognizer
  private var printer: LivePrinter
  private var recording: SessionFolder?
  private var number = 0
  private var isStill = false
  private var stills = 0
  private var firstFailure: CupolaError?
  private var busy = 0.0

  init(_ options: Watch, _ recognizer: Recognizer) throws {
    self.options = options
    self.recognizer = recognizer
    live = LiveRecognizer(recognizer)
    printer = LivePrinter(style: options.style, campus: recognizer.model.campus)
    recording = try options.record.map { try SessionFolder(recordingTo: $0) }
  }

  mutating func watchAll(_ source: FrameSource) throws {
    isStill = source.isStill
    try source.forEach(limit: recognizer.decoder.maximumBytes) { frame in
      try process(frame, time: frame.recorded?.time ?? Double(number) / options.rate)
      return true
    }
  }

  /// Always processes the newest frame, and drops frames that arrive during processing.
  mutating func watchLatest(_ source: FrameSource) async throws {
    isStill = source.isStill
    let (frames, sink) = AsyncThrowingStream.makeStream(
      of: FrameSource.Frame.self, bufferingPolicy: .bufferingNewest(1))
    let limit = recognizer.decoder.maximumBytes
    let reader = Task.detached {
      do {
        try source.forEach(limit: limit) { frame in
          sink.yield(frame)
          return !Task.isCancelled
        }
        sink.finish()
      } catch {
        sink.finish(throwing: error)
      }
    }
    defer { reader.cancel() }
    // Set when the first frame arrives, because cameras can take long to start.
    var start: ContinuousClock.Instant?
    for try await frame in frames {
      let now = ContinuousClock.now
      let first = start ?? now
      start = first
      try process(frame, time: (now - first).milliseconds / 1000)
    }
  }

  private mutating func process(_ frame: FrameSource.Frame, time: Double) throws {
    number += 1
    let bytes: [UInt8]
    let (answer, took): (WatchedFrame.Answer, Double)
    let (position, heading): (Position?, Heading?)
    do throws(CupolaError) {
      bytes = try frame.bytes.get()
      let began = ContinuousClock.now
      (answer, position, heading) = try recognize(bytes, of: frame, time: time)
      took = (.now - began).milliseconds
    } catch {
      return try fail(frame.name, error)
    }
    busy += took
    try printer.add(
      WatchedFrame(
        number: number, name: frame.name, time: time, answer: answer,
        top: options.candidateCount, milliseconds: took))
    try recording?.add(
      bytes, kind: frame.layout == nil ? "jpg" : "raw",
      frame: SessionFrame(
        frame: number, time: time, layout: frame.layout, position: position,
        heading: heading, truth: frame.recorded?.truth, answer: answer.recorded))
  }

  private mutating func recognize(
    _ bytes: [UInt8], of frame: FrameSource.Frame, time: Double
  ) throws(CupolaError) -> (WatchedFrame.Answer, Position?, Heading?) {
    if let layout = frame.layout {
      let (position, heading) = options.place(frame.recorded, nil)
      let answer = try layout.withFrame(bytes) { frame throws(CupolaError) in
        try live.update(frame, at: position, heading: heading, time: time)
      }
      return (.moving(answer, candidates), position, heading)
    }
    let photo = try recognizer.decoder.open(bytes)
    let (position, heading) = options.place(frame.recorded, photo)
    if isStill {
      let answer = try recognizer.recognize(
        photo, at: position, heading: heading, usingPlace: !options.placing.noPlace)
      stills += 1
      return (.still(answer), position, heading)
    }
    let image = try recognizer.model.recipe.decode(photo)
    let shot = CaptureInfo(of: image, photo.metadata, at: position, heading: heading)
    let answer = try live.update(image, taken: shot, time: time)
    return (.moving(answer, candidates), position, heading)
  }

  /// At least two candidates if available, because an unsure answer contains two names.
  private var candidates: [(label: String, probability: Double)] {
    live.candidates(max(2, options.candidateCount))
  }

  private var recognizedCount: Int { live.frames + stills }

  private mutating func fail(_ name: String, _ error: CupolaError) throws {
    firstFailure = firstFailure ?? error
    Console.error(ExitStatus.line(error, about: name))
    if printer.style == .jsonLines {
      Console.print(
        try JSONObject.text(JSONObject(watching: number, name: name, failed: error)))
    }
  }

  func finish(after source: FrameSource, quiet: Bool) throws {
    printer.finish()
    try recording?.finish()
    guard number > 0 else {
      Console.error(source.emptyMessage)
      throw ExitStatus.noInput
    }
    if !quiet, recognizedCount > 0 {
      let each = FigureText.decimal(busy / Double(recognizedCount), digits: 1)
      Console.note(
        "\(FigureText.count(recognizedCount, "frame")), \(each) ms each"
          + (recording.map { ", recorded in \($0.path)" } ?? ""))
    }
    guard let firstFailure else { return }
    throw recognizedCount == 0 ? ExitStatus.code(of: firstFailure) : ExitStatus.someFailed
  }
}

struct LivePrinter {
  enum Style { case jsonLines, oneLine, changes }

  let style: Style
  let campus: Campus?
  private(set) var last: String?

  mutating func add(_ seen: WatchedFrame) throws {
    switch style {
    case .jsonLines:
      Console.print(try JSONObject.text(JSONObject(watching: seen, in: campus)))
    case .oneLine: Console.rewrite(text(seen))
    case .changes:
      let headline = headline(seen)
      guard headline != last else { return }
      last = headline
      Console.print(line(seen))
    }
  }

  func finish() { Console.endLine() }

  func line(_ seen: WatchedFrame) -> String {
    VisibleText.line("\(FigureText.decimal(seen.time, digits: 1)) s: \(text(seen))")
  }

  private func text(_ seen: WatchedFrame) -> String {
    seen.answer.text(in: campus).line + (seen.answer.hint.map { "; \($0.words)" } ?? "")
  }

  func headline(_ seen: WatchedFrame) -> String { seen.answer.text(in: campus).title }
}

struct WatchedFrame {
  enum Answer {
    /// The answer for a single photo.
    case still(Recognition)
    /// The answer for the frames so far, and its candidates.
    case moving(LiveAnswer, [(label: String, probability: Double)])
  }

  let number: Int
  let name: String
  let time: Double
  let answer: Answer
  let top: Int
  let milliseconds: Double
}

extension WatchedFrame.Answer {
  var hint: LiveHint? {
    if case .moving(let answer, _) = self { answer.hint } else { nil }
  }

  func text(in campus: Campus?) -> AnswerText {
    switch self {
    case .still(let answer): answer.text(in: campus)
    case .moving(let answer, let candidates): answer.text(in: campus, candidates: candidates)
    }
  }

  var recorded: SessionFrame.Answer? {
    if case .moving(let answer, _) = self { SessionFrame.Answer(answer) } else { nil }
  }

  fileprivate func candidates(_ count: Int) -> [JSONObject] {
    let all: [(label: String, probability: Double)] =
      switch self {
      case .still(let answer): answer.candidates.map { ($0.label, $0.probability) }
      case .moving(_, let candidates): candidates
      }
    return all.prefix(count).map { ["label": $0.label, "probability": $0.probability] }
  }

  /// The members that differ between a single photo and moving pictures.
  fileprivate var members: JSONObject {
    switch self {
    case .still(let answer):
      [
        "still": true, "verdict": answer.verdict, "label": answer.label,
        "building": answer.building, "probability": answer.probability, "fence": answer.fence,
        "cut": false,
      ]
    case .moving(let answer, _):
      [
        "verdict": answer.verdict, "label": answer.label, "building": answer.building,
        "probability": answer.probability, "frame_label": answer.frameLabel,
        "frame_probability": answer.frameProbability, "hint": answer.hint,
        "fence": answer.fence, "cut": answer.isCut,
      ]
    }
  }
}

extension LiveHint {
  var words: String {
    switch self {
    case .holdStill: "hold still"
    case .moreLight: "too dark"
    case .lessLight: "too bright"
    case .stepBack: "step back"
    case .stepNearer: "step nearer"
    case .moveLeft: "move left"
    case .moveRight: "move right"
    }
  }
}

extension JSONObject {
  /// The answer to a frame: schema `cupola.live/1`.
  init(watching seen: WatchedFrame, in campus: Campus?) {
    let text = seen.answer.text(in: campus)
    let members: JSONObject = [
      "schema": "cupola.live/1", "frame": seen.number, "name": seen.name,
      "time": (seen.time * 1000).rounded() / 1000, "title": text.title, "detail": text.detail,
      "candidates": seen.answer.candidates(seen.top),
      "milliseconds": (seen.milliseconds * 1000).rounded() / 1000,
    ]
    self = members.adding(seen.answer.members)
  }

  init(watching number: Int, name: String, failed error: CupolaError) {
    self = ["schema": "cupola.live/1", "frame": number, "name": name, "error": error.problem]
  }
}
