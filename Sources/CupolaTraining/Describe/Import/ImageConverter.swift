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
    installed = ways.compactMap { way in Self.find(way.program).map { ($0, way) } }
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
  /// The private folders in use, with the running program or 0.
  private static let running = Locked<[String: pid_t]>([:])

  static func endAll() {
    for (folder, process) in running.withLock({ $0 }) {
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
    try Directory.createPrivate(place)
    Self.running.withLock { $0[place] = 0 }
    defer {
      Directory.removeAll(place)
      Self.running.withLock { $0[place] = nil }
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
            + Self.firstLine(of: place + Self.messages))
      } catch {
        problems.append("\(way.program): \(error)")
      }
    }
    throw Failure(
      description: "\(format.name): \(problems.first ?? ""); copy the photo again, "
        + Self.advice(format, beyond: installed.map(\.way.program)))
  }

  private static func firstLine(of file: String) -> String {
    guard let size = try? FileAccess.size(of: file),
      let bytes = try? FileAccess.read(file, bytes: 0..<min(size, 4096)),
      let line = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first
    else { return "" }
    return ": " + String(String(decoding: line, as: UTF8.self).prefix(200))
  }

  /// Returns the path of an installed program; ignores relative folders in PATH.
  package static func find(_ program: String) -> String? {
    variable("PATH")?.split(separator: ":").filter { $0.hasPrefix("/") }
      .map { "\($0)/\(program)" }.first {
        unsafe access($0, X_OK) == 0 && !Directory.isDirectory($0)
      }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static var variables: [String] {
    ["PATH", "HOME", "LANG", "LD_LIBRARY_PATH"].compactMap { name in
      variable(name).map { "\(name)=\($0)" }
    } + ["TMPDIR=.", "MAGICK_TEMPORARY_PATH=."]
  }

  private static let messages = "/messages.txt"

  /// Runs a program in a folder, without input; returns whether it succeeded.
  private static func run(_ command: [String], in folder: String) -> Bool {
    let inFolder = (folder.hasPrefix("/") ? "" : "./") + folder
    let arguments = ["sh", "-c", "cd \"$0\" && exec \"$@\"", inFolder] + command
    // swift-subprocess 1.0.2 would save 7 lines but add two packages to every build.
    let texts = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let environment = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe (texts + environment).forEach { unsafe free($0) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (file, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY)] {
      unsafe posix_spawn_file_actions_addopen(&actions, file, "/dev/null", mode, 0)
    }
    unsafe posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, folder + messages, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var process: pid_t = 0
    guard unsafe posix_spawn(&process, "/bin/sh", &actions, &attributes, texts, environment) == 0
    else {
      return false
    }
    let child = process
    running.withLock { $0[folder] = child }
    defer { running.withLock { $0[folder] = 0 } }
    return wait(for: child)
  }

  private static func wait(for process: pid_t) -> Bool {
    var status: Int32 = 0
    for _ in 0..<longest * 100 {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return status == 0 }
      if ended < 0, errno != EINTR { return false }
      usleep(10_000)
    }
    kill(-process, SIGKILL)
    _ = unsafe waitpid(process, &status, 0)
    return false
  }
}
