import CupolaTestSupport
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Session folders") struct SessionFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A recording survives a round trip")
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

  @Test("A magnetic heading uses the capture year or the default year")
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
      return CaptureInfo(of: image, metadata, at: nil, heading: nil).year
    }
    #expect(years == [2016, MagneticField.defaultYear, MagneticField.defaultYear])
  }

  @Test("An interrupted recording is readable")
  func killed() throws {
    var session = try SessionFolder(recordingTo: folder.path("walk"))
    for number in 1...40 {
      try session.add([0], kind: "jpg", frame: SessionFrame(frame: number, time: 0))
      #expect(try SessionFolder(reading: folder.path("walk")).frames.count == number)
    }
  }

  @Test("Only an incomplete last line is ignored")
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
    "An incomplete first line is not a session",
    arguments: [#"{"frame":1,"fi"#, "{", "no table", "\n\n{", "\u{FFFD}PNG"])
  func cutFirstLine(text: String) throws {
    try folder.write(text, to: "s/session.jsonl")
    let line = text.hasPrefix("\n") ? 3 : 1
    #expect(
      throws: TrainingError.badTable(
        path: folder.path("s/session.jsonl"), line: line, problem: "invalid session frame")
    ) {
      try SessionFolder(reading: folder.path("s"))
    }
  }

  @Test(
    "A recording never overwrites files",
    arguments: ["session.jsonl", "000001.jpg", "a/b"])
  func existing(name: String) throws {
    try folder.write("", to: "walk/" + name)
    #expect(throws: TrainingError.notEmpty(path: folder.path("walk"))) {
      try SessionFolder(recordingTo: folder.path("walk"))
    }
  }

  @Test("A recording without frames leaves no files")
  func withoutFrames() throws {
    for _ in 0..<2 { try SessionFolder(recordingTo: folder.path("walk")).finish() }
    #expect(try folder.contents().isEmpty)
  }

  @Test(
    "Invalid lines and outside files are rejected",
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

  @Test("Empty lines are skipped but counted")
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

  @Test("A session table above 64 MB is read")
  func largeTable() throws {
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

  @Test("A folder without sessions throws")
  func empty() {
    #expect(throws: TrainingError.noSessions(path: folder.path)) {
      try SessionFolder.all(in: folder.path)
    }
  }
}

@Suite("Sequence figures") struct SequenceFiguresTests {
  private typealias Frame = SequenceEvaluation.Frame

  /// Frames from letters for the true name and the displayed name; `.` means no name.
  private static func frames(_ truth: String, _ shown: String) -> [Frame] {
    zip(truth, shown).enumerated().map { index, pair in
      func name(_ letter: Character) -> String? { letter == "." ? nil : String(letter) }
      return Frame(
        truth: name(pair.0), shown: name(pair.1), single: name(pair.1), best: name(pair.1) ?? "z",
        odds: Double(index))
    }
  }

  private static func figures(_ sessions: (String, String)...) -> SequenceFigures {
    SequenceFigures(sessions.map { truth, shown in frames(truth, shown) })
  }

  @Test("Names, errors, changes and delays match a manual count")
  func counts() {
    let figures = Self.figures(("aaaabbbb....", "..aaaa.bbb.."), ("....", ".cc."))
    #expect(figures.sessions == 1 && figures.unknownSessions == 1 && figures.frames == 12)
    #expect(figures.named == 7.0 / 12 && figures.wrong == 4.0 / 7)
    #expect(figures.nameChanges == 2 && figures.trueChanges == 2 && figures.gaps == 0)
    #expect(figures.framesToName == [3, 4] && figures.medianFramesToName == 4)
    #expect(figures.framesToGo == [2] && figures.unknownNamed == 0.5)
  }

  @Test("A name that disappears and returns is a gap")
  func gaps() {
    let figures = Self.figures(("aaaaaaaa", ".aa.aa.a"), ("bbbb", "...."), ("cccc", ".aa."))
    #expect(figures.gaps == 2 && figures.nameChanges == 2)
    #expect(figures.framesToName == [2, nil, nil] && figures.medianFramesToName == nil)
    #expect(figures.framesToGo.isEmpty && figures.unknownNamed == nil)
  }

  @Test("Single frames are compared at the same number of names")
  func singles() {
    let answers: [(Double, String, String?)] = [
      (3, "a", "a"), (2, "b", "a"), (1, "a", "a"), (0, "a", nil),
    ]
    let figures = SequenceFigures([
      answers.map { odds, best, shown in
        Frame(truth: "a", shown: shown, single: odds > 0 ? best : nil, best: best, odds: odds)
      }
    ])
    #expect(figures.named == 0.75 && figures.wrong == 0 && figures.singleWrong == 1.0 / 3)
    // Frames off campus are not decoded and cannot have a name.
    let shown = Frame(truth: "a", shown: "a", single: nil, best: "a", odds: -1)
    let outside = Frame(truth: "a", shown: nil, single: nil, best: nil, odds: .infinity)
    let left = SequenceFigures([[shown, outside]])
    #expect(left.named == 0.5 && left.singleWrong == 0)
  }

  @Test("No sessions have no figures")
  func none() {
    let figures = SequenceEvaluation().figures
    #expect(figures.named == nil && figures.medianFramesToName == nil)
  }

  @Test("Without shown names there is no error share")
  func noNames() throws {
    let figures = Self.figures(("aaaa", "...."))
    #expect(figures.named == 0 && figures.wrong == nil && figures.singleWrong == nil)
    let json = try JSONObject.text(figures.json, pretty: true)
    #expect(!json.contains("\"wrong\"") && !json.contains("single_wrong"))
  }

  @Test("Small percentages have as many digits as needed")
  func smallShares() {
    #expect(FigureText.smallPercent(0) == "0.0%" && FigureText.smallPercent(0.05) == "5.0%")
    #expect(FigureText.smallPercent(0.00004) == "0.004%")
  }
}
