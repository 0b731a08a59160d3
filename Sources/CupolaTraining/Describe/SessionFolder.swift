package import Cupola

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// 1. `SessionFolder` reads or records frames with a line of `session.jsonl` each.
// 2. `SessionFrame` is such a line.
// 3. `RawLayout` turns the bytes of a raw frame into a picture.

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
    // Not as a list of lines: the table of a long day has a million.
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let line = bytes[start..<end]
      (number, start) = (number + 1, end + 1)
      if line.isEmpty { continue }
      guard let frame = try? decoder.decode(SessionFrame.self, from: Data(line)),
        Self.isInside(frame.file), frame.time.isFinite
      else {
        // A recording that was killed may end within a line: it has no line feed, and is no JSON. What has
        // no frame before it may be any file.
        let isLast = end == bytes.count && !frames.isEmpty
        if isLast, (try? JSONReader.value(of: Array(line))) == nil { break }
        throw .badTable(path: file, line: number, problem: "no frame of a session")
      }
      frames.append(frame)
    }
  }

  /// Begins a session in a folder in which nothing is yet, and which is made with the first frame.
  package init(recordingTo path: String) throws(TrainingError) {
    self.path = path
    let others = try TrainingError.files { () throws(FileError) in
      try Directory.checkCreation(of: path)
      return try Directory.exists(path) ? Directory.entries(of: path) : []
    }
    // Photos that somebody numbered have the names of frames.
    guard others.isEmpty else { throw .inTheWay(path: path) }
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

  /// A frame's picture, upright, and what its file says beside; `nil` for a raw frame.
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

  /// Adds a frame and its line of the table, so that what a killed recording leaves is a session, too.
  package mutating func add(
    _ bytes: [UInt8], kind: String, frame: SessionFrame
  ) throws(TrainingError) {
    var frame = frame
    frame.file = Digits.padded(frame.frame, to: 6) + "." + kind
    try TrainingError.files { () throws(FileError) in
      // Not before: what keeps no frame stops no later recording.
      if frames.isEmpty { try Directory.createAll(path) }
      try FileAccess.write(bytes, to: path(of: frame), synced: false)
      try FileAccess.append(Self.line(of: frame), to: path + "/" + Self.table)
    }
    frames.append(frame)
  }

  /// Writes the table of all frames anew, and waits until the disk has it; without frames there is none.
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

  /// Of its bytes: to Swift a slash before a combining character is none.
  private static func isInside(_ file: String) -> Bool {
    let parts = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.first?.isEmpty == false && !parts.contains { $0.elementsEqual("..".utf8) }
  }
}

package struct SessionFrame: Codable, Equatable, Sendable {
  var frame: Int
  var file: String
  package var time: Double
  /// How a raw frame stands in its file; `nil` for a picture of a file format.
  package var layout: RawLayout?
  package var position: Position?
  package var heading: Heading?
  /// What it shows: a label, or `nil` for nothing that the model knows.
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

/// How raw frames stand in a stream, by the names that ffmpeg has for it.
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

  /// Bytes of one of two planes, or of half of their common one.
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
          encoding: YCbCr(range: .video), width: width, height: height))
    case .yuv420p:
      return try body(
        CameraFrame(
          luma: all.extracting(0..<lumaOrPixels), bytesPerRow: width,
          cb: all.extracting(lumaOrPixels..<lumaOrPixels + chroma),
          cr: all.extracting(lumaOrPixels + chroma..<count), chromaBytesPerRow: (width + 1) / 2,
          encoding: YCbCr(range: .video), width: width, height: height))
    }
  }

  func picture(_ bytes: [UInt8]) throws(CupolaError) -> RGBImage {
    try withFrame(bytes) { frame throws(CupolaError) in frame.picture }
  }
}
