import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTool
@testable import CupolaTraining

@Suite("cupola watch")
struct WatchTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
  }

  /// Frames of an arch, a barn and the street.
  private func walk(_ count: Int = 12) throws -> [[UInt8]] {
    try [TinyCampus.Kind.arch, .barn, .street].enumerated().flatMap { part, kind in
      // A still camera: all frames of a part are equal.
      [[UInt8]](repeating: try TinyCampus.jpeg(kind, seed: UInt64(40 + part)), count: count)
    }
  }

  private func writeWalk() throws {
    for (number, frame) in try walk().enumerated() {
      try folder.write(frame, to: "walk/\(100 + number).jpg")
    }
  }

  private func run(_ arguments: [String], input: [UInt8]) throws -> Tool.Output {
    let process = try Tool.process(arguments, in: folder)
    let file = try folder.write(input, to: "stdin")
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: file))
    return try Tool.output(of: process)
  }

  private func labels(_ output: Tool.Output) throws -> [String?] {
    try output.jsonLines().map { $0["label"] as? String }
  }

  @Test("Names what frames show and prints changes")
  func folderOfFrames() throws {
    try writeWalk()
    let output = try Tool.run(["watch", "m.safetensors", "walk", "--jsonl"], in: folder)
    expectSuccess(output)
    let lines = try output.jsonLines()
    #expect(lines.count == 36 && lines.allSatisfy { $0["schema"] as? String == "cupola.live/1" })
    #expect(lines.map { $0["frame"] as? Int } == Array(1...36))
    #expect(lines[35]["time"] as? Double == 3.5)
    let names = try labels(output)
    #expect(names[0] == nil && names[11] == "arch" && names[23] == "barn" && names[35] == nil)
    #expect(lines[35]["verdict"] as? String == "not_a_campus_building")
    #expect(output.messages.last?.hasPrefix("36 frames, ") == true)
    let text = try Tool.run(["watch", "m.safetensors", "walk", "-q"], in: folder)
    let changes = text.stdout.split(separator: "\n").map(String.init)
    #expect(changes.first?.hasPrefix("0.0 s: Looking") == true)
    #expect(changes.contains { $0.contains("Old Arch") } && changes.count < 12)
    #expect(text.stderr.isEmpty)
  }

  @Test("Motion JPEG on stdin yields the same answers as files")
  func motionJPEG() throws {
    try writeWalk()
    let files = try Tool.run(["watch", "m.safetensors", "walk", "--jsonl", "-q"], in: folder)
    let stream = try run(
      ["watch", "m.safetensors", "-", "--jsonl", "-q"], input: try walk().flatMap(\.self))
    expectSuccess(stream)
    #expect(try labels(stream) == labels(files))
    #expect(try stream.jsonLines()[2]["name"] as? String == "frame 3")
  }

  @Test("Reads raw frames from stdin", arguments: ["rgb24", "rgba", "bgra", "nv12", "yuv420p"])
  func raw(format: String) throws {
    let image = try PhotoDecoder().open(try TinyCampus.jpeg(.arch, seed: 41)).image()
    let (width, height) = (image.width / 2 * 2, image.height / 2 * 2)
    var frame: [UInt8] = []
    let luma = [UInt8](repeating: 0, count: width * height).indices.map { index in
      image.pixels[3 * (index / width * image.width + index % width)]
    }
    switch format {
    case "rgb24": frame = luma.flatMap { [$0, $0, $0] }
    case "rgba", "bgra": frame = luma.flatMap { [$0, $0, $0, 255] }
    default: frame = luma + [UInt8](repeating: 128, count: width * height / 2)
    }
    let stream: [UInt8] = (0..<12).flatMap { _ -> [UInt8] in frame } + [1, 2, 3]
    let arguments = [
      "watch", "m.safetensors", "-", "--jsonl", "--raw", format, "--size", "\(width)x\(height)",
    ]
    let output = try run(arguments, input: stream)
    expectSuccess(output)
    #expect(try labels(output).last == "arch" && labels(output).count == 12)
    #expect(output.stderr.contains("the last 3 bytes are not a complete frame"))
    // The table of a session has the layout of all of them.
    guard format == "nv12" else { return }
    let recorded = try run(arguments + ["--record", "session"], input: stream)
    let again = try Tool.run(
      ["watch", "m.safetensors", "--replay", "session", "--jsonl"], in: folder)
    #expect(try labels(again) == labels(recorded))
    let figures = try Tool.run(
      ["evaluate", "m.safetensors", "--sequences", "session", "--json", "-q"], in: folder)
    expectSuccess(figures)
    #expect(try (figures.json() as? [String: Any])?["unknown_sessions"] as? Int == 1)
    try folder.write([1, 2], to: "session/000003.raw")
    let damaged = try Tool.run(["watch", "m.safetensors", "--replay", "session"], in: folder)
    #expect(damaged.status == 1)
    #expect(
      damaged.stderr.contains(
        "session/000003.raw: 2 bytes, but the layout needs \(frame.count)"))
  }

  @Test("A recorded session is replayed equally and evaluated")
  func record() throws {
    try writeWalk()
    let first = try Tool.run(
      ["watch", "m.safetensors", "walk", "--jsonl", "--record", "s/one", "--fps", "8"], in: folder)
    expectSuccess(first)
    #expect(first.stderr.contains("recorded in s/one"))
    let again = try Tool.run(
      ["watch", "m.safetensors", "--replay", "s/one", "--jsonl"], in: folder)
    expectSuccess(again)
    let keys = ["frame", "time", "verdict", "label", "probability", "hint", "cut"]
    let shown = try [first, again].map { try $0.jsonLines() }
    let told = shown.map { $0.map { line in keys.map { "\(line[$0] ?? "")" } } }
    #expect(told[0] == told[1] && told[0].count == 36)
    #expect(try folder.bytes("s/one/000001.jpg") == folder.bytes("walk/100.jpg"))
    let table = String(decoding: try folder.bytes("s/one/session.jsonl"), as: UTF8.self)
    // Nobody said yet what it shows, then that it shows nothing, or what is no building.
    let note = "note: s/one/session.jsonl: no frame has a \"truth\""
    for (text, isTold) in [
      (table, false), (table.replacing("}\n", with: #","truth":"none"}"# + "\n"), true),
      (table.replacing("}\n", with: #","truth":"_street"}"# + "\n"), true),
    ] {
      try folder.write(text, to: "s/one/session.jsonl")
      let untold = try Tool.run(
        ["evaluate", "m.safetensors", "--sequences", "s", "-q"], in: folder)
      expectSuccess(untold)
      #expect(untold.stdout.hasPrefix("1 sequence without known buildings: "))
      #expect(untold.stderr.contains(note) == !isTold)
    }
    try folder.write(
      table.replacing("}\n", with: #","truth":"BARN"}"# + "\n"), to: "s/one/session.jsonl")
    expectFailure(
      try Tool.run(["evaluate", "m.safetensors", "--sequences", "s", "-q"], in: folder), 65,
      "\"BARN\" (did you mean \"barn\"?)")
    // Its table with the truth in it.
    let lines = table.split(separator: "\n").enumerated().map { number, line in
      number < 24 ? line.dropLast() + #","truth":"\#(number < 12 ? "arch" : "barn")"}"# : line
    }
    try folder.write(lines.joined(separator: "\n"), to: "s/one/session.jsonl")
    let figures = try Tool.run(
      ["evaluate", "m.safetensors", "--sequences", "s", "--json", "-q"], in: folder)
    expectSuccess(figures)
    let found = try #require(try figures.json() as? [String: Any])
    #expect(found["schema"] as? String == "cupola.sequences/1")
    #expect(found["wrong"] as? Double == 0 && found["name_changes"] as? Int == 2)
    #expect(found["frames"] as? Int == 36 && found["true_changes"] as? Int == 2)
    let text = try Tool.run(["evaluate", "m.safetensors", "--sequences", "s", "-q"], in: folder)
    #expect(text.stdout.hasPrefix("1 sequence of known buildings, 36 frames"))
    #expect(!text.stderr.contains(note))
    let taken = try Tool.run(
      ["watch", "m.safetensors", "walk", "--record", "s/one"], in: folder)
    expectFailure(taken, 73, "s/one: folder is not empty; choose another one to record to")
  }

  @Test("A recording overwrites nothing and fails before the first frame")
  func recordOverOthers() throws {
    try writeWalk()
    try folder.write("mine", to: "trip/000001.jpg")
    let before = try folder.contents()
    for (name, words) in [
      ("trip", "folder is not empty; choose another one to record to"),
      ("trip/000001.jpg", "cannot be written"),
      ("trip/000001.jpg/new", "cannot be written: Not a directory"),
    ] {
      let output = try Tool.run(
        ["watch", "m.safetensors", "walk", "--record", name], in: folder)
      expectFailure(output, 73, "\(name): \(words)")
      #expect(output.stdout.isEmpty)
    }
    #expect(try folder.contents() == before)
    try FileManager.default.createDirectory(
      atPath: folder.path("empty"), withIntermediateDirectories: false)
    expectSuccess(
      try Tool.run(["watch", "m.safetensors", "walk", "--record", "empty", "-q"], in: folder))
  }

  @Test("A failed recording leaves no folder")
  func recordNothing() throws {
    for _ in 0..<2 {
      let output = try Tool.run(
        ["watch", "m.safetensors", "video0", "--record", "walk-2"], in: folder)
      expectFailure(output, 66, "video0")
      #expect(!Directory.exists(folder.path("walk-2")))
    }
  }

  @Test("An interrupted recording is replayed with all its frames", arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    let process = try Tool.process(
      ["watch", "m.safetensors", "-", "--record", "walk-1", "-q"], in: folder)
    let camera = Pipe()
    process.standardInput = camera
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    try camera.fileHandleForWriting.write(contentsOf: Data(try walk(2).flatMap(\.self)))
    // Waits for all frames while the camera is still running.
    var kept = 0
    for _ in 0..<6000 where process.isRunning && kept < 6 {
      kept = ((try? folder.bytes("walk-1/session.jsonl")) ?? []).count { $0 == 0x0A }
      usleep(10_000)
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == (signal == SIGINT ? 130 : signal))
    let again = try Tool.run(
      ["watch", "m.safetensors", "--replay", "walk-1", "--jsonl"], in: folder)
    expectSuccess(again)
    #expect(try again.jsonLines().count == 6)
  }

  @Test("Continues after unreadable frames and reports them")
  func damaged() throws {
    try writeWalk()
    try folder.write("no photo", to: "walk/105.jpg")
    let output = try Tool.run(["watch", "m.safetensors", "walk", "--jsonl"], in: folder)
    #expect(output.status == 1 && output.stderr.contains("walk/105.jpg"))
    let lines = try output.jsonLines()
    #expect(lines.count == 36 && lines[5]["error"] != nil && lines[35]["verdict"] != nil)
    try folder.write("no photo", to: "one/1.jpg")
    let latest = try Tool.run(
      ["watch", "m.safetensors", "one/1.jpg", "--latest"], in: folder)
    #expect(latest.status == 65 && latest.stderr.contains("one/1.jpg"))
  }

  @Test(
    "An input without frames exits with 66",
    arguments: ["", "walk/100.jpg\nwalk/101.jpg\n", "\u{1}x"])
  func noFrames(input: String) throws {
    for options in [["-q"], ["--jsonl"], ["--latest", "--record", "s"]] {
      let output = try run(["watch", "m.safetensors", "-"] + options, input: Array(input.utf8))
      expectFailure(output, 66, "stdin: no complete JPEG of at most 16 MB", "not paths")
      #expect(output.stdout.isEmpty)
    }
    let raw = ["watch", "m.safetensors", "-", "--raw", "rgb24", "--size", "9x9"]
    let output = try run(raw, input: Array(input.utf8))
    #expect(output.status == 66)
    #expect(
      output.messages.last
        == "cupola: stdin: no complete frame of 243 bytes; check --raw and --size")
  }

  @Test("Sessions without frames exit with 66")
  func noSessions() throws {
    try folder.write("\n", to: "s/session.jsonl")
    try folder.write("no session", to: "photos/a/1.jpg")
    for (name, words) in [("s", "s: contains no frames"), ("photos", "photos: no session found")] {
      let output = try Tool.run(["evaluate", "m.safetensors", "--sequences", name], in: folder)
      expectFailure(output, 66, words)
      #expect(output.stdout.isEmpty)
    }
  }

  @Test("A video is read with ffmpeg, or the message contains the command for it")
  func video() throws {
    let video = "it's a walk.MP4"
    try folder.write("frames", to: video)
    let watch = ["watch", "m.safetensors", video, "--jsonl"]
    let missing = try Tool.run(watch, in: folder, environment: ["PATH": folder.path("nowhere")])
    expectFailure(
      missing, 74, "requires ffmpeg",
      #"ffmpeg -nostdin -loglevel error -i 'file:it'\''s a walk.MP4'"#,
      "-r 10.0 -f mjpeg -q:v 3 - | cupola watch MODEL -")
    try folder.write(try walk(2).flatMap(\.self), to: "frames.mjpeg")
    try folder.write(
      program: "#!/bin/sh\ntest -f \"${5#file:}\" && cat frames.mjpeg\n", to: "bin/ffmpeg")
    let path = ["PATH": folder.path("bin") + ":/usr/bin:/bin"]
    let output = try Tool.run(watch, in: folder, environment: path)
    expectSuccess(output)
    #expect(try output.jsonLines().count == 6)
    #expect(try output.jsonLines().last?["time"] as? Double == 0.5)
    expectFailure(
      try Tool.run(["watch", "m.safetensors", "gone.mp4"], in: folder, environment: path), 66,
      "gone.mp4")
    try folder.write("#!/bin/sh\nexit 1\n", to: "bin/ffmpeg")
    expectFailure(
      try Tool.run(watch, in: folder, environment: path), 66, "ffmpeg found no video frames")
  }

  @Test("A single photo gets the text of cupola classify")
  func still() throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 41), to: "arch.jpg")
    let classified = try Tool.run(["classify", "m.safetensors", "arch.jpg"], in: folder)
    let line = try #require(classified.stdout.split(separator: "\n").first).dropFirst(
      "arch.jpg: ".count)
    let output = try Tool.run(["watch", "m.safetensors", "arch.jpg", "-q"], in: folder)
    #expect(output.stdout == "0.0 s: \(line)\n")
  }

  @Test("Frames off campus are not decoded")
  func place() throws {
    try writeWalk()
    let output = try Tool.run(
      ["watch", "m.safetensors", "walk", "--at", "49,11", "--jsonl", "-q"], in: folder)
    expectSuccess(output)
    #expect(
      try output.jsonLines().allSatisfy {
        $0["verdict"] as? String == "not_on_campus" && $0["frame_label"] == nil
      })
  }

  @Test("--latest drops frames that arrive during processing")
  func latest() throws {
    let output = try run(
      ["watch", "m.safetensors", "-", "--latest", "--jsonl"], input: try walk().flatMap(\.self))
    expectSuccess(output)
    let lines = try output.jsonLines()
    #expect((1...36).contains(lines.count))
    // Times are relative to the first frame.
    #expect(lines.first?["time"] as? Double == 0)
  }

  @Test("Rejects conflicting options")
  func usage() throws {
    for (arguments, words) in [
      ([], "--replay"), (["a", "--replay", "b"], "not both"), (["-", "--raw", "rgb24"], "--size"),
      (["-", "--raw", "rgb24", "--size", "0x9"], "WIDTHxHEIGHT"), (["a", "--fps", "0"], "--fps"),
      (["a", "--fps", "1e-320"], "--fps"), (["a", "--fps", "nan"], "--fps"),
      (["-", "--latest", "--fps", "8"], "leave out --fps"),
      (["--replay", "b", "--fps", "8"], "leave out --fps"),
      (["a", "--raw", "rgb24", "--size", "9x9"], "stdin"), (["-", "a"], "the only source"),
      (["a", "--heading", "400"], "--heading"), (["--replay", "b", "--latest"], "--latest"),
      (["a.mp4", "b"], "a video must be the only source"),
      (["--replay", ""], "empty path"), (["a", "--record", ""], "empty path"),
      (["a", "--top", "2"], "requires --jsonl"),
      (["a", "--top", "-1", "--jsonl"], "--top must be 0 or more, not -1"),
      (["-", "--raw", "rgb24", "--size", "9x9", "--lenient"], "--lenient does not apply"),
      (["-", "--raw", "rgb24", "--size", "9x9", "--position-error", "9"], "together with --at"),
    ] {
      expectUsageError(try Tool.run(["watch", "m.safetensors"] + arguments, in: folder), words)
    }
    expectFailure(
      try Tool.run(["watch", "m.safetensors", "nowhere.jpg"], in: folder), 66, "nowhere.jpg")
    expectUsageError(
      try Tool.run(["evaluate", "m.safetensors", "x", "--sequences", "s"], in: folder),
      "--sequences")
  }
}

@Suite("cupola watch with positions")
struct WatchPlacesTests {
  @Test("--position-error applies to recorded positions without an error")
  func recordedError() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    let photo = try TinyCampus.jpeg(.arch, seed: 41, exif: TinyCampus.position(48.005, 10.01))
    try folder.write(photo, to: "arch.jpg")
    let watch = ["watch", "m.safetensors", "--jsonl"]
    expectSuccess(try Tool.run(watch + ["arch.jpg", "--record", "walk"], in: folder))
    for source in [["arch.jpg"], ["--replay", "walk"]] {
      for (options, fence) in [
        ([], "inside"), (["--position-error", "5000"], "too_close_to_tell"),
        (["--position-error", "5000", "--at", "48.5,10.01"], "outside"),
        (["--position-error", "5000", "--no-place"], nil),
      ] as [([String], String?)] {
        let output = try Tool.run(watch + source + options, in: folder)
        expectSuccess(output)
        let found = try output.jsonLines().first?["fence"] as? String
        #expect(found == fence, "\(source) \(options)")
      }
    }
  }

  @Test("The EXIF focal length is used, also for recorded frames")
  func focalLength() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for millimeters in [27, 200] as [UInt16] {
      let exif = EXIFBuilder().payload([
        EXIFBuilder.Tag.exif: .directory([EXIFBuilder.Tag.focalLength: .short(millimeters)])
      ])
      let photo = try TinyCampus.jpeg(.barn, seed: 41, exif: exif)
      try folder.write(photo, to: "\(millimeters).jpg")
    }
    func candidates(_ arguments: [String]) throws -> [Double] {
      let output = try Tool.run(["watch", "m.safetensors", "--jsonl"] + arguments, in: folder)
      expectSuccess(output)
      let found = try output.jsonLines().first?["candidates"] as? [[String: Any]]
      return (found ?? []).compactMap { $0["probability"] as? Double }
    }
    let place = ["--at", "48.0045,10.01", "--heading", "20"]
    let usual = try candidates(["27.jpg"] + place)
    let narrow = try candidates(["200.jpg", "--record", "walk"] + place)
    #expect(usual.count == 3 && narrow.count == 3 && usual != narrow)
    #expect(try candidates(["--replay", "walk"]) == narrow)
  }
}

@Suite("Live printer")
struct LivePrinterTests {
  @Test("An unsure answer names two buildings, regardless of --top", arguments: 0...3)
  func unsure(top: Int) throws {
    let seen = WatchedFrame(
      number: 1, name: "1.jpg", time: 0,
      answer: .moving(LiveAnswer(.unsure), [("arch", 0.5), ("barn", 0.4), ("cone", 0.1)]), top: top,
      milliseconds: 1)
    let printer = LivePrinter(style: .changes, campus: nil)
    #expect(printer.headline(seen) == "Unsure: arch or barn")
    let text = try JSONObject.text(JSONObject(watching: seen, in: nil))
    #expect(text.contains("\"barn\"") == (top > 1) && text.contains("\"cone\"") == (top > 2))
  }

  @Test(
    "An unsure answer names no improbable building",
    arguments: [[("arch", 1)], [("arch", 0.93), ("barn", 0.004)]])
  func unsureOfOne(shares: [(String, Double)]) {
    let seen = WatchedFrame(
      number: 1, name: "1.jpg", time: 0,
      answer: .moving(LiveAnswer(.unsure), shares.map { (label: $0.0, probability: $0.1) }),
      top: 3, milliseconds: 1)
    let printer = LivePrinter(style: .changes, campus: nil)
    #expect(printer.headline(seen) == "Unsure: arch or something else")
  }

  @Test("A name with a line break stays on one line")
  func lines() {
    let seen = WatchedFrame(
      number: 1, name: "1.jpg", time: 0,
      answer: .moving(LiveAnswer(.unsure), [("a\nb", 0.5), ("barn", 0.5)]), top: 3, milliseconds: 1)
    let printer = LivePrinter(style: .changes, campus: nil)
    #expect(printer.line(seen) == #"0.0 s: Unsure: a\u{a}b or barn"#)
  }

  @Test("--top limits JSON candidates")
  func top() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 41), to: "arch.jpg")
    for top in 0...3 {
      let output = try Tool.run(
        ["watch", "m.safetensors", "arch.jpg", "--jsonl", "--top", "\(top)"], in: folder)
      expectSuccess(output)
      let candidates = try output.jsonLines().first?["candidates"] as? [Any]
      #expect(candidates?.count == top)
    }
  }
}

@Suite("Sequence report")
struct SequenceReportTests {
  private static func text(_ frames: [(truth: String?, shown: String?)]) -> String {
    let frames = frames.map { frame in
      SequenceEvaluation.Frame(
        truth: frame.truth, shown: frame.shown, single: nil, best: nil, odds: 0)
    }
    return SequenceReport.text(SequenceFigures([frames]))
  }

  @Test("Half of the buildings without a name is stated exactly")
  func halfNamed() {
    let text = Self.text([("a", "a"), ("b", nil)])
    #expect(text.contains("first name: none in at least half of the sequences, never in 1 of 2"))
  }

  @Test("A count of one is singular")
  func singular() {
    let text = Self.text([("a", "a"), ("a", nil), ("a", "a"), (nil, "a")])
    for words in ["1 name lost", "first name: after 1 frame (", "last name:  1 frame after"] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("Sessions without readable frames do not count")
  func unreadable() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    let line = #"{"frame":1,"file":"1.jpg","time":0,"truth":"arch"}"# + "\n"
    try folder.write(line, to: "s/bad/session.jsonl")
    try folder.write("no photo", to: "s/bad/1.jpg")
    let evaluate = ["evaluate", "m.safetensors", "--sequences", "s", "--json", "-q"]
    let none = try Tool.run(evaluate, in: folder)
    expectFailure(none, 65, "s/bad/1.jpg")
    #expect(none.stdout.isEmpty)
    try folder.write(line, to: "s/good/session.jsonl")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 1), to: "s/good/1.jpg")
    let output = try Tool.run(evaluate, in: folder)
    #expect(output.status == 1)
    let figures = try #require(try output.json() as? [String: Any])
    #expect(figures["sessions"] as? Int == 1 && figures["unknown_sessions"] as? Int == 0)
  }
}
