import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Session folders") struct SessionFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("What is recorded is read again")
  func roundTrip() throws {
    var session = try SessionFolder(recordingTo: folder.path("walk"))
    for number in 1...30 {
      try session.add(
        [UInt8(number)], kind: "jpg",
        frame: SessionFrame(
          frame: number, time: Double(number) / 8,
          position: Position(latitude: 48, longitude: 11), heading: Heading(degrees: 90),
          truth: number < 9 ? "hall" : nil, answer: SessionFrame.Answer(LiveAnswer(.looking))))
    }
    try session.finish()
    let read = try SessionFolder(reading: folder.path("walk"))
    #expect(read.frames == session.frames && read.frames[8].file == "000009.jpg")
    #expect(try FileAccess.read(read.path(of: read.frames[29])) == [30])
    #expect(try SessionFolder.all(in: folder.path).map(\.path) == [folder.path("walk")])
    #expect(try SessionFolder.all(in: folder.path("walk")).count == 1)
  }

  @Test("A magnetic heading is turned by the year of the photo, of raw frames by the usual one")
  func year() throws {
    typealias Tag = EXIFBuilder.Tag
    let exif = EXIFBuilder().payload([
      Tag.exif: .directory([Tag.time: .text("2016:01:01 12:00:00")])
    ])
    let image = StripedPicture.draw(.across, seed: 1)
    let layout = try #require(
      RawLayout(size: "\(image.width)x\(image.height)", format: .rgb24))
    var session = try SessionFolder(recordingTo: folder.path("walk"))
    for (bytes, kind, raw) in [
      (try JPEGEncoder.encode(image, exif: exif), "jpg", nil),
      (try JPEGEncoder.encode(image), "jpg", nil), (image.pixels, "raw", layout),
    ] as [([UInt8], String, RawLayout?)] {
      let frame = SessionFrame(frame: session.frames.count + 1, time: 0, layout: raw)
      try session.add(bytes, kind: kind, frame: frame)
    }
    let recognizer = Recognizer(model: ReportFixture.model())
    let years = try session.frames.map { frame in
      let (image, metadata) = try session.picture(of: frame, for: recognizer)
      return Shot(of: image, metadata, at: nil, heading: nil).year
    }
    #expect(years == [2016, MagneticField.usualYear, MagneticField.usualYear])
  }

  @Test("A recording that was killed is a session all the same")
  func killed() throws {
    var session = try SessionFolder(recordingTo: folder.path("walk"))
    for number in 1...40 {
      try session.add([0], kind: "jpg", frame: SessionFrame(frame: number, time: 0))
      #expect(try SessionFolder(reading: folder.path("walk")).frames.count == number)
    }
  }

  @Test("The beginning of a line at the end is passed over, but only there")
  func cutLine() throws {
    let line = #"{"file":"a.jpg","frame":1,"time":0,"truth":"é"}"#
    let bytes = Array(line.utf8)
    for count in 1..<bytes.count {
      let cut = Array(bytes.prefix(count))
      try folder.write(bytes + [0x0A] + cut, to: "s/session.jsonl")
      #expect(try SessionFolder(reading: folder.path("s")).frames.count == 1, "\(count) bytes")
      try folder.write(cut + [0x0A] + bytes, to: "s/session.jsonl")
      #expect(throws: TrainingError.self) { try SessionFolder(reading: folder.path("s")) }
    }
    try folder.write(line + "\n" + line, to: "s/session.jsonl")
    #expect(try SessionFolder(reading: folder.path("s")).frames.count == 2)
  }

  @Test(
    "The beginning of a line alone is no session, nor are any bytes",
    arguments: [#"{"frame":1,"fi"#, "{", "no table", "\n\n{", "\u{FFFD}PNG"])
  func cutFirstLine(text: String) throws {
    try folder.write(text, to: "s/session.jsonl")
    let line = text.hasPrefix("\n") ? 3 : 1
    #expect(
      throws: TrainingError.badTable(
        path: folder.path("s/session.jsonl"), line: line, problem: "no frame of a session")
    ) {
      try SessionFolder(reading: folder.path("s"))
    }
  }

  @Test(
    "A session is recorded over nothing of others",
    arguments: ["session.jsonl", "000001.jpg", "a/b"])
  func existing(name: String) throws {
    try folder.write("", to: "walk/" + name)
    #expect(throws: TrainingError.inTheWay(path: folder.path("walk"))) {
      try SessionFolder(recordingTo: folder.path("walk"))
    }
  }

  @Test("A recording without frames leaves nothing behind")
  func withoutFrames() throws {
    for _ in 0..<2 { try SessionFolder(recordingTo: folder.path("walk")).finish() }
    #expect(try folder.contents().isEmpty)
  }

  @Test(
    "Lines that are no frames are refused, and files outside of the folder",
    arguments: [
      "{", "[]", #"{"frame":1}"#, #"{"frame":1,"file":"../a.jpg","time":0}"#,
      #"{"frame":1,"file":"/etc/passwd","time":0}"#, #"{"frame":1,"file":"","time":0}"#,
      "{\"frame\":1,\"file\":\"../\u{301}.jpg\",\"time\":0}",
      #"{"frame":1,"file":"a.jpg","time":"x"}"#,
      #"{"frame":1,"file":"a.raw","time":0,"layout":"nv12 0x9"}"#,
      #"{"frame":1,"file":"a.jpg","time":0,"position":{"latitude":99,"longitude":0}}"#,
    ])
  func refused(line: String) throws {
    let first = #"{"frame":1,"file":"a.jpg","time":0}"# + "\n"
    try folder.write(first + line + "\n", to: "s/session.jsonl")
    let table = folder.path("s/session.jsonl")
    let error = #expect(throws: TrainingError.self) {
      try SessionFolder(reading: folder.path("s"))
    }
    #expect("\(try #require(error))".hasPrefix("\(table):2: "))
  }

  @Test("Empty lines are passed over, and counted")
  func emptyLines() throws {
    let line = #"{"frame":1,"file":"a.jpg","time":0}"#
    try folder.write("\n" + line + "\n\n" + line + "\n\n", to: "s/session.jsonl")
    #expect(try SessionFolder(reading: folder.path("s")).frames.count == 2)
    try folder.write(line + "\n\n\n{\n", to: "s/session.jsonl")
    let error = #expect(throws: TrainingError.self) {
      try SessionFolder(reading: folder.path("s"))
    }
    #expect("\(try #require(error))".contains("session.jsonl:4: "))
  }

  @Test("A recording of many hours, whose table has more than 64 MB, is read")
  func hours() throws {
    let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    var table: [UInt8] = []
    for number in 1...65 {
      table += blanks
      table += #"{"frame":\#(number),"file":"a.jpg","time":\#(number)}"#.utf8
      table.append(0x0A)
    }
    try folder.write(table, to: "s/session.jsonl")
    let frames = try SessionFolder(reading: folder.path("s")).frames
    #expect(frames.map(\.frame) == Array(1...65))
  }

  @Test("A folder without sessions is refused")
  func empty() {
    #expect(throws: TrainingError.noSessions(path: folder.path)) {
      try SessionFolder.all(in: folder.path)
    }
  }
}
