internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Find the installed programs that convert the format.
// 2. Copy the photo to a private folder under a neutral name, because programs treat `%d`, `[2]` and `*` as patterns.
// 3. Run the programs in their own process group, without input, until one succeeds.
// 4. Check the size of the result, and turn it upright with the metadata of the photo.
// 5. Remove the folder; kill the program on timeout or when the command exits.

package struct ImageConverter {
  private struct Way {
    let program: String
    let formats: Set<PhotoFormat>
    /// The arguments for an input and an output file.
    let arguments: @Sendable (String, String) -> [String]
  }

  /// The supported programs. They return HEIC, AVIF and JPEG XL upright, and other formats as stored.
  private static let ways = [
    Way(program: "heif-convert", formats: [.heic, .avif]) { ["-q", "98", $0, $1] },
    Way(program: "heif-dec", formats: [.heic, .avif]) { ["-q", "98", $0, $1] },
    // Without -j, djxl restores the original JPEG, which may not be upright.
    Way(program: "djxl", formats: [.jpegXL]) { ["-j", "-q", "98", $0, $1] },
    Way(program: "magick", formats: all, arguments: flattened),
    Way(program: "convert", formats: all, arguments: flattened),
  ]
  private static let all: Set<PhotoFormat> = [
    .heic, .avif, .png, .webp, .tiff, .bmp, .gif, .jpegXL,
  ]
  /// The formats that the library can decode if built with support.
  private static let built: Set<PhotoFormat> = [.heic, .avif, .png, .webp]

  /// Converts the first image of a file for ImageMagick, without messages about tags that it does not support.
  @Sendable private static func flattened(_ input: String, _ output: String) -> [String] {
    [
      "-quiet", input + "[0]", "+repage", "-background", "white", "-flatten", "-colorspace", "sRGB",
      "-sampling-factor", "4:4:4", "-quality", "98", output,
    ]
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let longest = 120
  private let format: PhotoFormat
  private let installed: [(path: String, way: Way)]

  init(for format: PhotoFormat) throws {
    let ways = Self.ways.filter { $0.formats.contains(format) }
    guard !ways.isEmpty else { throw CupolaError.unsupportedFormat(format) }
    self.format = format
    installed = ways.compactMap { way in InstalledProgram.find(way.program).map { ($0, way) } }
    guard installed.isEmpty else { return }
    throw Failure(
      description: "\(format.name), and no installed program converts it to JPEG; "
        + Self.advice(format, beyond: []))
  }

  private static func advice(_ format: PhotoFormat, beyond tried: [String]) -> String {
    let others = ["heif-convert", "djxl"].filter { name in
      !tried.contains(name)
        && Self.ways.contains { $0.program == name && $0.formats.contains(format) }
    }
    let isMagick = tried.contains { $0 == "magick" || $0 == "convert" }
    let programs = (others + (isMagick ? [] : ["ImageMagick"])).joined(separator: " or ")
    var ways = ["export it as JPEG"]
    if !programs.isEmpty { ways.append("install " + programs) }
    if built.contains(format) { ways.append("build cupola with Scripts/install") }
    return ways.joined(separator: ", or ")
  }

  /// The prefix of private folders; hidden.
  private static let mark = ".part-"

  private struct Work {
    /// The private folders in use, with the running program or 0.
    var programs: [String: pid_t] = [:]
    var isEnding = false
  }

  private static let work = Locked(Work())

  /// Kills all programs, removes the private folders, and stops other conversions until the command exits.
  ///
  /// Otherwise, photos whose program was killed would count as failed, and the command could end with their exit code.
  static func endAll() {
    let programs = work.withLock { work in
      work.isEnding = true
      return work.programs
    }
    for (folder, process) in programs {
      if process > 0 { kill(-process, SIGKILL) }
      // A program that is being killed can still create a file.
      for _ in 0..<50 where Directory.exists(folder) {
        Directory.removeAll(folder)
        usleep(2_000)
      }
    }
  }

  static func removeLeftovers(in folder: String) {
    FileAccess.removeOld(startingWith: mark, in: folder, seconds: 2 * longest)
  }

  /// Returns the upright image. Works in a private folder inside `folder`.
  func image(
    of outline: PhotoOutline, in folder: String, _ decoder: PhotoDecoder
  ) throws -> RGBImage {
    let place = folder + "/" + Self.mark + Hex.text(UInt64.random(in: 0...UInt64.max))
    try Self.unlessEnding { work in
      Result { () throws(FileError) in
        try Directory.createPrivate(place)
        work.programs[place] = 0
      }
    }.get()
    defer {
      Directory.removeAll(place)
      Self.unlessEnding { $0.programs[place] = nil }
    }
    let input = "photo." + format.rawValue.lowercased()
    try FileAccess.write(outline.input, to: place + "/" + input, synced: false)
    var problems: [String] = []
    for (path, way) in installed {
      let output = "photo-\(problems.count).jpg"
      let arguments = way.arguments(input, output)
      let isDone = Self.run([path] + arguments, in: place)
      do throws(CupolaError) {
        if isDone, let jpeg = try? FileAccess.read(place + "/" + output) {
          return try outline.image(fromConverted: try decoder.open(jpeg))
        }
        problems.append(
          way.program + (isDone ? " wrote no file" : " could not convert it")
            + InstalledProgram.firstLine(of: place + Self.messages))
      } catch {
        problems.append("\(way.program): \(error)")
      }
    }
    throw Failure(
      description: "\(format.name): \(problems.first ?? ""); copy the photo again, "
        + Self.advice(format, beyond: installed.map(\.way.program)))
  }

  /// The file for the messages of a program.
  private static let messages = "/messages.txt"

  /// Runs a program in a folder, without input; returns whether it succeeded.
  private static func run(_ command: [String], in folder: String) -> Bool {
    defer { unlessEnding { $0.programs[folder] = 0 } }
    let inFolder = (folder.hasPrefix("/") ? "" : "./") + folder
    let arguments = ["-c", "cd \"$0\" && exec \"$@\"", inFolder] + command
    let environment = InstalledProgram.variables + ["TMPDIR=.", "MAGICK_TEMPORARY_PATH=."]
    // Start the program while the list is locked, because a program that is not listed would not be killed.
    let process = unlessEnding { work in
      let process = InstalledProgram.start(
        ["/bin/sh"] + arguments, environment: environment, messages: folder + messages)
      work.programs[folder] = process ?? 0
      return process
    }
    return process.map { InstalledProgram.wait(for: $0, seconds: longest) } ?? false
  }

  /// Calls `body`; if the command is ending, waits for its end instead.
  @discardableResult
  private static func unlessEnding<Value: Sendable>(
    _ body: @Sendable (inout Work) -> Value
  ) -> Value {
    while true {
      if let value = work.withLock({ $0.isEnding ? nil : body(&$0) }) { return value }
      usleep(100_000)
    }
  }
}
