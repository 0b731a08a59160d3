import ArgumentParser
import Cupola
import CupolaTraining

// 1. Update the stable answer with each frame.
// 2. Print the answer as JSON, as one line that is redrawn, or whenever it changes.

struct FrameWatcher {
  private let options: Watch
  private let recognizer: Recognizer
  private var live: LiveRecognizer
  private var printer: LivePrinter
  private var recording: SessionFolder?
  private var number = 0
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
    try source.forEach(limit: recognizer.decoder.maximumBytes) { frame in
      try process(frame, time: frame.recorded?.time ?? Double(number) / options.rate)
      return true
    }
  }

  /// Always processes the newest frame, and drops frames that arrive during processing.
  mutating func watchLatest(_ source: FrameSource) async throws {
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
    let (answer, took): (LiveAnswer, Double)
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
        candidates: live.candidates(max(2, options.candidateCount)), top: options.candidateCount,
        milliseconds: took))
    try recording?.add(
      bytes, kind: frame.layout == nil ? "jpg" : "raw",
      frame: SessionFrame(
        frame: number, time: time, layout: frame.layout, position: position,
        heading: heading, truth: frame.recorded?.truth, answer: SessionFrame.Answer(answer)))
  }

  private mutating func recognize(
    _ bytes: [UInt8], of frame: FrameSource.Frame, time: Double
  ) throws(CupolaError) -> (LiveAnswer, Position?, Heading?) {
    if let layout = frame.layout {
      let (position, heading) = options.place(frame.recorded, nil)
      let answer = try layout.withFrame(bytes) { frame throws(CupolaError) in
        try live.update(frame, at: position, heading: heading, time: time)
      }
      return (answer, position, heading)
    }
    let photo = try recognizer.decoder.open(bytes)
    let (position, heading) = options.place(frame.recorded, photo)
    let image = try recognizer.model.recipe.decode(photo)
    let shot = CaptureInfo(of: image, photo.metadata, at: position, heading: heading)
    let answer = try live.update(image, taken: shot, time: time)
    return (answer, position, heading)
  }

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
    if !quiet, live.frames > 0 {
      let each = FigureText.decimal(busy / Double(live.frames), digits: 1)
      Console.note(
        "\(FigureText.count(live.frames, "frame")), \(each) ms each"
          + (recording.map { ", recorded in \($0.path)" } ?? ""))
    }
    guard let firstFailure else { return }
    throw live.frames == 0 ? ExitStatus.code(of: firstFailure) : ExitStatus.someFailed
  }
}

struct LivePrinter {
  enum Style { case jsonLines, oneLine, changes }

  let style: Style
  let campus: Campus?
  private(set) var last: String?

  mutating func add(_ seen: WatchedFrame) throws {
    switch style {
    case .jsonLines: Console.print(try JSONObject.text(JSONObject(watching: seen)))
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
    var text = headline(seen)
    if let probability = seen.answer.probability { text += " (\(FigureText.percent(probability)))" }
    if let hint = seen.answer.hint { text += "; \(hint.words)" }
    return text
  }

  func headline(_ seen: WatchedFrame) -> String {
    switch seen.answer.verdict {
    case .looking: "Looking"
    case .building: campus.name(of: seen.answer.label ?? "")
    case .unsure: "Unsure: \(choice(seen.candidates.map { campus.name(of: $0.label) }))"
    case .notACampusBuilding: "Not a Campus Building"
    case .notOnCampus: "Not on Campus"
    }
  }
}

private func choice(_ names: [String]) -> String {
  // A model with a single building can be unsure too, if the position contradicts the image.
  names.count == 1 ? names[0] + " or something else" : names.prefix(2).joined(separator: " or ")
}

struct WatchedFrame {
  let number: Int
  let name: String
  let time: Double
  let answer: LiveAnswer
  /// At least two candidates if available, because an unsure answer contains two names.
  let candidates: [(label: String, probability: Double)]
  let top: Int
  let milliseconds: Double
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
  init(watching seen: WatchedFrame) {
    let answer = seen.answer
    self = [
      "schema": "cupola.live/1", "frame": seen.number, "name": seen.name,
      "time": (seen.time * 1000).rounded() / 1000, "verdict": answer.verdict,
      "label": answer.label, "building": answer.building, "probability": answer.probability,
      "frame_label": answer.frameLabel, "frame_probability": answer.frameProbability,
      "candidates": seen.candidates.prefix(seen.top).map { candidate -> JSONObject in
        ["label": candidate.label, "probability": candidate.probability]
      },
      "hint": answer.hint, "fence": answer.fence, "cut": answer.isCut,
      "milliseconds": (seen.milliseconds * 1000).rounded() / 1000,
    ]
  }

  init(watching number: Int, name: String, failed error: CupolaError) {
    self = ["schema": "cupola.live/1", "frame": number, "name": name, "error": error.problem]
  }
}
