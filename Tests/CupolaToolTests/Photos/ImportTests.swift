import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola import")
struct ImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Installs fake programs that copy a JPEG of 48x32 pixels with a wrong orientation.
  private func converters(
    _ text: String? = nil, programs: [String] = ["heif-convert"]
  ) throws -> [String: String] {
    let exif = EXIFBuilder().payload([EXIFBuilder.Tag.orientation: .short(6)])
    let picture = RGBImage(width: 48, height: 32, pixels: [UInt8](repeating: 90, count: 4608))
    try folder.write(try JPEGEncoder.encode(picture, exif: exif), to: "answer.jpg")
    let copy = "for last; do :; done; cp '\(folder.path)/answer.jpg' \"$last\""
    for program in programs {
      let script = "#!/bin/sh\nPATH=/bin:/usr/bin\n\(text ?? copy)\n"
      try folder.write(program: script, to: "bin/" + program)
    }
    return ["PATH": folder.path + "/bin"]
  }

  private static let block = EXIFBuilder().block([
    EXIFBuilder.Tag.orientation: .short(6),
    EXIFBuilder.Tag.exif: .directory([EXIFBuilder.Tag.time: .text("2026:05:01 10:00:00")]),
    EXIFBuilder.Tag.gps: .directory(EXIFBuilder.place),
  ])
  /// Stored 32x48, and turned to 48x32.
  private static let heic = PhotoFileBuilder.heic(width: 32, height: 48, turns: 3, exif: block)

  private func expectPhoto(_ name: String, width: Int, height: Int) throws {
    let photo = try PhotoDecoder().open(path: folder.path(name))
    #expect(photo.width == width && photo.height == height, "\(name)")
    #expect(photo.metadata.orientation == .up, "\(name)")
    #expect(photo.metadata.captureTime == "2026:05:01 10:00:00", "\(name)")
    #expect(photo.metadata.position?.latitude == -12.5, "\(name)")
  }

  @Test("JPEGs are copied unchanged, and others are converted")
  func mixed() throws {
    let photo = try TinyCampus.jpeg(.cone, seed: 3)
    try folder.write(photo, to: "in/hall/1.jpg")
    try folder.write(Self.heic, to: "in/hall/1.HEIC")
    try folder.write(Self.heic, to: "in/hall/east side/é 2.heic")
    try folder.write([1, 2, 3], to: "in/clip.mov")
    try folder.write([1, 2, 3], to: "in/notes.txt")
    try folder.write([1, 2, 3], to: "in/.DS_Store")
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/in").sorted()
    let environment = try converters()
    let output = try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment)
    expectSuccess(output)
    #expect(
      output.stdout == """
        out: 3 photos: 1 copied, 2 converted (2 HEIC)
        skipped: 1 video, 1 other file

        """)
    #expect(try folder.bytes("out/hall/1.jpg") == photo)
    try expectPhoto("out/hall/1.HEIC.jpg", width: 48, height: 32)
    try expectPhoto("out/hall/east side/é 2.jpg", width: 48, height: 32)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/in").sorted() == before)
    let written = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/out")
    #expect(!written.contains { $0.contains(".part-") })
  }

  @Test("PNG, WebP and TIFF are turned upright and keep time and position")
  func upright() throws {
    let tiff = EXIFBuilder().block([
      256: .long(48), 257: .long(32), EXIFBuilder.Tag.orientation: .short(6),
      EXIFBuilder.Tag.time: .text("2026:05:01 10:00:00"),
      EXIFBuilder.Tag.gps: .directory(EXIFBuilder.place),
    ])
    let png = PhotoFileBuilder.png(width: 48, height: 32, exif: Self.block)
    let webP = PhotoFileBuilder.webP(width: 48, height: 32, exif: Self.block)
    try folder.write(png, to: "in/a/1.png")
    try folder.write(webP, to: "in/a/2.webp")
    try folder.write(tiff, to: "in/a/3.tif")
    let environment = try converters(programs: ["convert"])
    expectSuccess(
      try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment))
    for number in 1...3 { try expectPhoto("out/a/\(number).jpg", width: 32, height: 48) }
  }

  @Test("Programs get neutral names and only the primary image")
  func neutralNames() throws {
    let names = ["a%20d", "b[2]", "c?*", "d:e", "-f"]
    let heic = PhotoFileBuilder.heic(
      width: 48, height: 32, exif: Self.block, images: 3, primary: 2)
    for name in names { try folder.write(heic, to: "in/x%d[1]/\(name).heic") }
    let log = folder.path("arguments")
    let environment = try converters(
      """
      echo "$@" >>'\(log)'; ls >>'\(log)'; for last; do :; done
      cp photo.heic '\(folder.path)/given.heic'; echo more >extra-1.jpg
      cp '\(folder.path)/answer.jpg' "$last"
      """)
    expectSuccess(
      try Tool.run(["import", "in", "-o", "out%d[0]"], in: folder, environment: environment))
    for name in names { try expectPhoto("out%d[0]/x%d[1]/\(name).jpg", width: 48, height: 32) }
    let written = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out%d[0]"))
    #expect(written.count == names.count + 1)
    let lines = String(decoding: try folder.bytes("arguments"), as: UTF8.self).split(
      separator: "\n")
    let expected = ["-q 98 photo.heic photo-0.jpg", "messages.txt", "photo.heic"]
    #expect(Set(lines.map(String.init)) == Set(expected))
    let given = try folder.bytes("given.heic")
    #expect(zip(given, heic).count { $0 != $1 } == 2 && given.count == heic.count)
  }

  @Test("A program that returns another size is rejected, and the next one is tried")
  func wrongSize() throws {
    try folder.write(PhotoFileBuilder.heic(width: 32, height: 48), to: "in/a/1.heic")
    let environment = try converters()
    let output = try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment)
    expectFailure(output, 65, "1.heic: HEIC: heif-convert: ", "48x32 pixels instead of 32x48")
    try folder.write(Self.heic, to: "in/a/1.heic")
    let failing = try converters("exit 1")
    _ = try converters(programs: ["magick"])
    expectSuccess(try Tool.run(["import", "in", "-o", "out"], in: folder, environment: failing))
  }

  @Test("Failures show the error of ImageMagick, not its warnings")
  func warnings() throws {
    try folder.write(EXIFBuilder().block([256: .long(48), 257: .long(32)]), to: "in/a/1.tif")
    let environment = try converters(
      "[ \"$1\" = -quiet ] || echo unknown tag >&2; echo no image >&2; exit 1",
      programs: ["convert"])
    let output = try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment)
    expectFailure(output, 65, "1.tif: TIFF: convert could not convert it: no image; ")
  }

  @Test("Lost metadata is reported with exit code 1")
  func incomplete() throws {
    let damaged = Array("no TIFF header".utf8)
    try folder.write(
      PhotoFileBuilder.png(width: 48, height: 32, exif: damaged), to: "in/a/1.png")
    let environment = try converters(programs: ["convert"])
    let output = try Tool.run(
      ["import", "in", "-o", "out", "--json"], in: folder, environment: environment)
    expectFailure(output, 1, "in/a/1.png: converted without its damaged EXIF data; ")
    let json = try #require(try output.json() as? [String: Any])
    #expect((json["incomplete"] as? [String])?.count == 1)
    #expect(json["converted"] as? [String: Int] == ["PNG": 1])
  }

  @Test("Raw photos are named and not converted")
  func rawPhotos() throws {
    let dng = EXIFBuilder().block([
      254: .long(1), 256: .long(48), 257: .long(32), 50706: .long(1025),
    ])
    let reduced = EXIFBuilder().block([254: .long(1), 256: .long(48), 257: .long(32)])
    try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/a/1.jpg")
    try folder.write(dng, to: "in/a/2.jpg")
    try folder.write(dng, to: "in/a/3.DNG")
    try folder.touch("in/a/4.CR3", "in/a/5.nef", "in/a/6.ARW", "in/a/7.rw2", "in/a/8.cr2")
    try folder.write(reduced, to: "in/a/9.tif")
    let environment = try converters(programs: ["convert"])
    let output = try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment)
    #expect(output.status == 1)
    #expect(output.stdout == "out: 9 photos: 1 copied, 8 failed\n")
    for (name, format) in [
      ("2.jpg", "DNG"), ("3.DNG", "DNG"), ("4.CR3", "CR3"), ("5.nef", "NEF"), ("6.ARW", "ARW"),
      ("7.rw2", "RW2"), ("8.cr2", "CR2"),
    ] {
      #expect(output.stderr.contains("in/a/\(name): raw photo (\(format)), not converted; export"))
    }
    #expect(output.stderr.contains("in/a/9.tif: TIFF: its first image is a reduced copy; export"))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("out/a")) == ["1.jpg"])
  }

  @Test("Each photo gets a unique name")
  func longNames() throws {
    let photos = try (1...2).map { try TinyCampus.jpeg(.cone, seed: UInt64($0)) }
    try folder.write(photos[0], to: "in/a/1.jpg")
    try folder.write(photos[1], to: "in/a/1.HEIC.jpg")
    try folder.write(Self.heic, to: "in/a/1.HEIC")
    try folder.write(Self.heic, to: "in/a/1.heif")
    let environment = try converters()
    let output = try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment)
    expectSuccess(output)
    #expect(output.stdout.contains("4 photos: 2 copied, 2 converted"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/a")).sorted()
    #expect(names == ["1.HEIC.jpg", "1.HEIC.jpg.jpg", "1.heif.jpg", "1.jpg"])
    #expect(try folder.bytes("out/a/1.jpg") == photos[0])
    #expect(try folder.bytes("out/a/1.HEIC.jpg") == photos[1])
  }

  @Test("A second run continues and replaces nothing")
  func secondRun() throws {
    try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/a/1.jpg")
    expectSuccess(try Tool.run(["import", "in", "-o", "out"], in: folder))
    try folder.write(try TinyCampus.jpeg(.cone, seed: 5), to: "in/a/2.jpg")
    let output = try Tool.run(["import", "in", "-o", "out", "--json"], in: folder)
    expectSuccess(output)
    let json = try #require(try output.json() as? [String: Any])
    #expect(json["schema"] as? String == "cupola.import/1")
    #expect(json["copied"] as? Int == 1 && json["kept"] as? Int == 1)
    // A different existing file stays, and the photo gets another name.
    try folder.write([7], to: "out/a/1.jpg")
    for count in ["1 copied, 1 already present", "0 copied, 2 already present"] {
      let other = try Tool.run(["import", "in", "-o", "out"], in: folder)
      #expect(other.stdout == "out: 2 photos: \(count)\n")
      #expect(try folder.bytes("out/a/1.jpg") == [7])
      #expect(try folder.bytes("out/a/1.jpg.jpg") == folder.bytes("in/a/1.jpg"))
    }
  }

  @Test(
    "A JPEG added later with a converted photo's name is copied once")
  func addedJPEG() throws {
    try folder.write(Self.heic, to: "in/a/1.HEIC")
    let environment = try converters()
    func run() throws -> String {
      try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment).stdout
    }
    #expect(try run() == "out: 1 photo: 0 copied, 1 converted (1 HEIC)\n")
    let photo = try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/a/1.jpg")
    #expect(try run() == "out: 2 photos: 1 copied, 1 already present\n")
    #expect(try run() == "out: 2 photos: 0 copied, 2 already present\n")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/a")).sorted()
    #expect(names == ["1.jpg", "1.jpg.jpg"])
    #expect(try folder.bytes("out/a/1.jpg.jpg") == FileAccess.read(photo))
  }

  @Test(
    "Signals end a converter and remove its files, and a second run continues",
    arguments: [SIGINT, SIGTERM])
  func interrupted(signal: Int32) throws {
    try folder.write(Self.heic, to: "in/a/1.HEIC")
    let isPipe = unsafe mkfifo(folder.path("pipe"), 0o600) == 0
    #expect(isPipe)
    let environment = try converters(
      // Many files take long to remove, so the import sees that the converter has ended before the command exits.
      """
      for last; do :; done; echo x > "$last"; seq 2000 | while read n; do : > "extra-$n"; done
      echo x > '\(folder.path)/begun'; read x < '\(folder.path)/pipe'; echo x > '\(folder.path)/done'
      """)
    let messages = Pipe()
    let process = try Tool.process(
      ["import", "in", "-o", "out", "-q"], in: folder, environment: environment)
    process.standardError = messages
    try process.run()
    for _ in 0..<6000 where process.isRunning && !Directory.exists(folder.path("begun")) {
      usleep(10_000)
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationStatus == 128 + signal)
    #expect(try messages.fileHandleForReading.readToEnd()?.isEmpty ?? true)
    // Opening the pipe fails as soon as the converter, its only reader, has ended. As long as one end is open, the
    // converter waits.
    var ends: [Int32] = []
    while ends.count < 1000,
      case let end = unsafe open(folder.path("pipe"), O_WRONLY | O_NONBLOCK), end >= 0
    {
      ends.append(end)
      usleep(10_000)
    }
    #expect(ends.count < 1000)
    for end in ends { close(end) }
    #expect(!Directory.exists(folder.path("done")))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).isEmpty)
    let again = try Tool.run(
      ["import", "in", "-o", "out"], in: folder, environment: try converters())
    #expect(again.stdout == "out: 1 photo: 0 copied, 1 converted (1 HEIC)\n")
  }

  @Test("Old files of killed imports are removed")
  func leftovers() throws {
    try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/a/1.jpg")
    try folder.touch("out/a/.part-1f.jpg", "out/a/.part-2f.jpg", "out/.part-3f/photo.heic")
    for name in ["a/.part-1f.jpg", ".part-3f"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -4000)],
        ofItemAtPath: folder.path("out/" + name))
    }
    expectSuccess(try Tool.run(["import", "in", "-o", "out"], in: folder))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/a")).sorted()
    #expect(names == [".part-2f.jpg", "1.jpg"])
    #expect(!Directory.exists(folder.path("out/.part-3f")))
  }

  @Test("The longest possible name is imported")
  func longName() throws {
    let name = String(repeating: "é", count: 123) + ".jpg"
    try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/a/\(name)")
    try folder.write(Self.heic, to: "in/a/\(String(repeating: "h", count: 250)).heic")
    let output = try Tool.run(
      ["import", "in", "-o", "out"], in: folder, environment: try converters())
    expectSuccess(output)
    #expect(try folder.bytes("out/a/\(name)") == folder.bytes("in/a/\(name)"))
  }

  @Test("Failures print one line each, and the rest is imported")
  func failures() throws {
    try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/a/1.jpg")
    try folder.write(Self.heic, to: "in/a/2.heic")
    try folder.write(Array("hello".utf8), to: "in/a/3.jpg")
    let loop = folder.path("in/a/4.jpg")
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    let environment = try converters("echo 'no such codec\nmore' >&2; exit 3")
    let output = try Tool.run(["import", "in", "-o", "out"], in: folder, environment: environment)
    #expect(output.status == 1)
    #expect(
      output.stderr.contains(
        "in/a/2.heic: HEIC: heif-convert could not convert it: no such codec; copy the photo "
          + "again, export it as JPEG, or install ImageMagick, or build cupola with "))
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path("out/a")) == ["1.jpg"])
    #expect(output.stderr.contains("in/a/3.jpg: text, not a photo"))
    let unread = output.messages.filter { $0.contains("4.jpg") }
    #expect(unread.allSatisfy { $0.contains("in/a/4.jpg: cannot be read: ") })
    #expect(unread.allSatisfy { $0.ranges(of: "4.jpg").count == 1 })
    #expect(output.stdout.contains("1 copied, \(2 + unread.count) failed"))
    let bare = try Tool.run(
      ["import", "in", "-o", "other"], in: folder, environment: ["PATH": folder.path])
    #expect(
      bare.stderr.contains(
        "in/a/2.heic: HEIC, and no installed program converts it to JPEG; export it as JPEG, or "
          + "install heif-convert or ImageMagick, or build cupola with "))
  }

  @Test("An output that is a file is reported once")
  func ontoFile() throws {
    for number in 1...3 { try folder.write(Self.heic, to: "in/a/\(number).heic") }
    try folder.write("mine", to: "file.jpg")
    expectFailure(
      try Tool.run(["import", "in", "-o", "file.jpg"], in: folder), 73,
      "file.jpg: cannot be written", "choose another folder")
    #expect(try folder.bytes("file.jpg") == Array("mine".utf8))
  }

  @Test("The first write failure ends the import")
  func fullDisk() throws {
    for number in 1...5 {
      try folder.write(
        try TinyCampus.jpeg(.cone, seed: UInt64(number)), to: "in/a/\(number).jpg")
    }
    // A file size limit of 0 acts like a full disk.
    let process = try Tool.process([], in: folder)
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" import in -o full -q",
      try Tool.executable().path,
    ]
    expectFailure(try Tool.output(of: process), 73, "full/a/", "cannot be written: File too large")
    try folder.touch("out/a")
    let output = try Tool.run(["import", "in", "-o", "out", "-q"], in: folder)
    expectFailure(output, 73, "out/a", "cannot be written: Not a directory")
    #expect(output.stdout.isEmpty)
  }

  @Test("Links to parent folders and the output are not imported")
  func loops() throws {
    try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/a/1.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/in/a/back", withDestinationPath: "..")
    for _ in 0..<2 {
      let output = try Tool.run(["import", "in", "-o", "in/out"], in: folder)
      expectSuccess(output)
      #expect(output.stdout.contains("1 photo:"))
    }
    expectUsageError(try Tool.run(["import", "in", "-o", "in"], in: folder), "a different folder")
  }

  @Test("Photos that are only in the output folder are reported")
  func onlyInOutput() throws {
    try folder.write(try TinyCampus.jpeg(.cone, seed: 3), to: "in/chapel/1.jpg")
    expectFailure(
      try Tool.run(["import", "in", "-o", "in/chapel"], in: folder), 66,
      "in: no photos outside the output folder in/chapel; choose another one with -o")
    try folder.touch("empty/notes.txt", "empty/out/notes.txt")
    let broken = try Tool.run(["import", "in", "-o", "out\nput"], in: folder)
    #expect(broken.stdout == #"out\u{a}put: 1 photo: 1 copied"# + "\n")
    let empty = try Tool.run(["import", "empty", "-o", "empty/out"], in: folder)
    expectFailure(empty, 66, "empty: no photos found; choose another folder\n")
  }
}
