package import Cupola

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// 1. Read or record frames, each with a line in `session.jsonl` (`SessionFolder`).
// 2. Encode and decode these lines (`SessionFrame`).
// 3. Convert the bytes of raw frames to images (`RawLayout`).

package struct SessionFolder: Sendable {
  package let path: String
  package private(set) var frames: [SessionFrame] = []
  package static let table = "session.jsonl"

  package init(reading path: String) throws(TrainingError) {
    self.path = path
    let file = path + "/" + Self.table
    let bytes = try TrainingError.files { () throws(FileError) in try FileAccess.read(file) }
    let decoder = JSONDecoder()
    var (number, start) = (0, 0)
    // Parse one line at a time, because a day of recording has a million lines.
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = bytes[start..<end]
      (number, start) = (number + 1, end + 1)
      if line.isEmpty { continue }
      guard let frame = try? decoder.decode(SessionFrame.self, from: Data(line)),
        Self.isInside(frame.file), frame.time.isFinite
      else {
        // An interrupted recording may end with an incomplete line; accept it only after a valid frame.
        let isLast = end == bytes.count && !frames.isEmpty
        if isLast, (try? JSONReader.value(of: Array(line))) == nil { break }
        throw .badTable(path: file, line: number, problem: "invalid session frame")
      }
      frames.append(frame)
    }
  }

  /// Begins a recording in a new or empty folder; the folder is created with the first frame.
  package init(recordingTo path: String) throws(TrainingError) {
    self.path = path
    let others = try TrainingError.files { () throws(FileError) in
      try Directory.checkCreation(of: path)
      return try Directory.exists(path) ? Directory.entries(of: path) : []
    }
    // Numbered photos in the folder could be mistaken for frames.
    guard others.isEmpty else { throw .notEmpty(path: path) }
  }

  package static func all(in path: String) throws(TrainingError) -> [SessionFolder] {
    if Directory.exists(path + "/" + table) { return [try SessionFolder(reading: path)] }
    let names = try TrainingError.files { () throws(FileError) in
      try Directory.entries(of: path).filter(\.isDirectory).map(\.name)
    }
    var sessions: [SessionFolder] = []
    for name in names where Directory.exists("\(path)/\(name)/\(table)") {
      sessions.append(try SessionFolder(reading: "\(path)/\(name)"))
    }
    guard !sessions.isEmpty else { throw .noSessions(path: path) }
    return sessions
  }

  package func path(of frame: SessionFrame) -> String { path + "/" + frame.file }

  func picture(
    of frame: SessionFrame, for recognizer: Recognizer
  ) throws(CupolaError) -> (image: RGBImage, metadata: PhotoMetadata?) {
    let path = path(of: frame)
    guard let layout = frame.layout else {
      let photo = try recognizer.decoder.open(path: path)
      return (try recognizer.model.recipe.decode(photo), photo.metadata)
    }
    let picture = try layout.picture(
      try CupolaError.files { () throws(FileError) in
        try FileAccess.read(path, limit: layout.count)
      })
    return (picture, nil)
  }

  /// Appends a frame and its line, so that an interrupted recording is still a valid session.
  package mutating func add(
    _ bytes: [UInt8], kind: String, frame: SessionFrame
  ) throws(TrainingError) {
    var frame = frame
    frame.file = Digits.padded(frame.frame, to: 6) + "." + kind
    try TrainingError.files { () throws(FileError) in
      // Create the folder late, so that a recording without frames does not create one.
      if frames.isEmpty { try Directory.createAll(path) }
      try FileAccess.write(bytes, to: path(of: frame), synced: false)
      try FileAccess.append(Self.line(of: frame), to: path + "/" + Self.table)
    }
    frames.append(frame)
  }

  /// Rewrites the table of all frames and syncs it to disk; does nothing if there are no frames.
  package func finish() throws(TrainingError) {
    if frames.isEmpty { return }
    try TrainingError.files { () throws(FileError) in
      try FileAccess.write(frames.flatMap(Self.line), to: path + "/" + Self.table)
    }
  }

  private static func line(of frame: SessionFrame) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? encoder.encode(frame) else { return [] }
    return Array(line) + [UInt8(ascii: "\n")]
  }

  /// Compares bytes, because Swift does not find a slash that precedes a combining character.
  private static func isInside(_ file: String) -> Bool {
    let parts = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.first?.isEmpty == false && !parts.contains { $0.elementsEqual("..".utf8) }
  }
}

package struct SessionFrame: Codable, Equatable, Sendable {
  var frame: Int
  var file: String
  package var time: Double
  package var layout: RawLayout?
  package var position: Position?
  package var heading: Heading?
  /// The true label; `nil` if the frame shows no building or background of the model.
  package var truth: String?
  var answer: Answer?

  package struct Answer: Codable, Equatable, Sendable {
    var verdict: LiveAnswer.Verdict
    var label: String?
    var probability: Double?
    var hint: LiveHint?

    package init(_ answer: LiveAnswer) {
      (verdict, label) = (answer.verdict, answer.label)
      (probability, hint) = (answer.probability, answer.hint)
    }
  }

  package init(
    frame: Int, file: String = "", time: Double, layout: RawLayout? = nil,
    position: Position? = nil, heading: Heading? = nil, truth: String? = nil,
    answer: Answer? = nil
  ) {
    (self.frame, self.file, self.time, self.layout) = (frame, file, time, layout)
    (self.position, self.heading, self.truth, self.answer) = (position, heading, truth, answer)
  }
}

/// The pixel layout of raw frames, named as in ffmpeg.
package struct RawLayout: Codable, Equatable, RawRepresentable, Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case rgb24, rgba, bgra, nv12, yuv420p
  }

  let format: Format
  let width: Int
  let height: Int

  package init?(size: String, format: Format) {
    let numbers = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
      (1...16_384).contains(width), (1...16_384).contains(height)
    else { return nil }
    (self.format, self.width, self.height) = (format, width, height)
  }

  package init?(rawValue: String) {
    let words = rawValue.split(separator: " ")
    guard words.count == 2, let format = Format(rawValue: String(words[0])) else { return nil }
    self.init(size: String(words[1]), format: format)
  }

  package var rawValue: String { "\(format.rawValue) \(width)x\(height)" }

  package var count: Int { lumaOrPixels + 2 * chroma }

  private var lumaOrPixels: Int {
    switch format {
    case .rgb24: 3 * width * height
    case .rgba, .bgra: 4 * width * height
    case .nv12, .yuv420p: width * height
    }
  }

  /// The bytes of one chroma plane, or half of an interleaved one.
  private var chroma: Int {
    switch format {
    case .rgb24, .rgba, .bgra: 0
    case .nv12, .yuv420p: (width + 1) / 2 * ((height + 1) / 2)
    }
  }

  package func withFrame<Result>(
    _ bytes: [UInt8], _ body: (borrowing CameraFrame) throws(CupolaError) -> Result
  ) throws(CupolaError) -> Result {
    guard bytes.count == count else {
      throw .wrongFrameSize(bytes: bytes.count, needed: count)
    }
    let all = bytes.span
    switch format {
    case .rgb24, .rgba, .bgra:
      let kind: CameraFrame.Format =
        format == .rgb24 ? .rgb : format == .rgba ? .rgba : .bgra
      return try body(
        CameraFrame(
          pixels: all, format: kind, width: width, height: height,
          bytesPerRow: lumaOrPixels / height))
    case .nv12:
      return try body(
        CameraFrame(
          luma: all.extracting(0..<lumaOrPixels), bytesPerRow: width,
          chroma: all.extracting(lumaOrPixels..<count), chromaBytesPerRow: 2 * ((width + 1) / 2),
          encoding: YCbCr(isFullRange: false), width: width, height: height))
    case .yuv420p:
      return try body(
        CameraFrame(
          luma: all.extracting(0..<lumaOrPixels), bytesPerRow: width,
          cb: all.extracting(lumaOrPixels..<lumaOrPixels + chroma),
          cr: all.extracting(lumaOrPixels + chroma..<count), chromaBytesPerRow: (width + 1) / 2,
          encoding: YCbCr(isFullRange: false), width: width, height: height))
    }
  }

  func picture(_ bytes: [UInt8]) throws(CupolaError) -> RGBImage {
    try withFrame(bytes) { frame throws(CupolaError) in frame.picture }
  }
}
