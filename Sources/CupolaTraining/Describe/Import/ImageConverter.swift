internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Find an installed program that converts the format.
// 2. Run it in its own process group, without input, with its messages in a file.
// 3. Kill it on timeout or when the command exits.

struct ImageConverter {
  /// Placeholders in arguments for the input and output paths.
  private static let (input, output) = ("<", ">")

  private struct Way {
    let program: String
    let formats: Set<PhotoFormat>
    let arguments: [String]
  }

  /// The supported programs, starting with those that keep EXIF and orient images correctly.
  private static let ways = [
    Way(
      program: "sips", formats: all,
      arguments: ["-s", "format", "jpeg", input, "--out", output]),
    Way(
      program: "heif-convert", formats: [.heic, .avif], arguments: ["-q", "92", input, output]),
    Way(program: "djxl", formats: [.jpegXL], arguments: [input, output]),
    Way(program: "magick", formats: all, arguments: flattened),
    Way(program: "convert", formats: all, arguments: flattened),
  ]
  private static let all: Set<PhotoFormat> = [
    .heic, .avif, .png, .webp, .tiff, .bmp, .gif, .jpegXL,
  ]
  /// The formats that the library can decode if built with support.
  private static let built: Set<PhotoFormat> = [.heic, .avif, .png, .webp]
  private static let flattened = [
    input, "-auto-orient", "-background", "white", "-flatten", "-quality", "92", output,
  ]

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let longest = 120
  private let path: String
  private let way: Way

  init(for format: PhotoFormat) throws {
    let ways = Self.ways.filter { $0.formats.contains(format) }
    guard !ways.isEmpty else { throw CupolaError.unsupportedFormat(format) }
    for way in ways {
      guard let path = Self.find(way.program) else { continue }
      (self.path, self.way) = (path, way)
      return
    }
    throw Failure(
      description: "\(format.name), and no installed program converts it to JPEG; "
        + Self.advice(format, beyond: nil))
  }

  private static func advice(_ format: PhotoFormat, beyond program: String?) -> String {
    let others = ["heif-convert", "djxl"].filter { name in
      name != program && Self.ways.contains { $0.program == name && $0.formats.contains(format) }
    }
    let isMagick = program == "magick" || program == "convert"
    let programs = (others + (isMagick ? [] : ["ImageMagick"])).joined(separator: " or ")
    var ways = ["export it as JPEG"]
    if !programs.isEmpty { ways.append("install " + programs) }
    if built.contains(format) {
      ways.append("build cupola with Scripts/install --with-all-formats")
    }
    return ways.joined(separator: ", or ")
  }

  /// The prefix of temporary files; it hides them and is short enough for all photo names.
  private static let mark = ".part-"
  private static let running = Locked<[pid_t: [String]]>([:])

  static func endAll() {
    for (process, files) in running.withLock({ $0 }) {
      kill(-process, SIGKILL)
      for file in files { unsafe unlink(file) }
    }
  }

  static func removeLeftovers(in folder: String) {
    FileAccess.removeOld(startingWith: mark, in: folder, seconds: 2 * longest)
  }

  func convert(
    _ input: String, beside output: String, _ format: PhotoFormat
  ) throws(Failure) -> [UInt8] {
    let part =
      FileAccess.folder(of: output) + Self.mark
      + String(UInt64.random(in: 0...UInt64.max), radix: 16)
    let (temporary, messages) = (part + ".jpg", part + ".txt")
    defer { for file in [temporary, messages] { unsafe unlink(file) } }
    let files = [Self.input: input, Self.output: temporary].mapValues {
      $0.hasPrefix("-") ? "./" + $0 : $0
    }
    let arguments = way.arguments.map { files[$0] ?? $0 }
    let isDone = Self.run(path, [way.program] + arguments, writing: temporary, messages: messages)
    if isDone, let jpeg = try? FileAccess.read(temporary) { return jpeg }
    throw Failure(
      description: "\(format.name): \(way.program) "
        + (isDone ? "wrote no file" : "could not convert it") + Self.firstLine(of: messages)
        + "; copy the photo again, " + Self.advice(format, beyond: way.program))
  }

  private static func firstLine(of file: String) -> String {
    guard let size = try? FileAccess.size(of: file),
      let bytes = try? FileAccess.read(file, bytes: 0..<min(size, 4096)),
      let line = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first
    else { return "" }
    return ": " + String(String(decoding: line, as: UTF8.self).prefix(200))
  }

  private static func find(_ program: String) -> String? {
    variable("PATH")?.split(separator: ":").map { "\($0)/\(program)" }.first {
      unsafe access($0, X_OK) == 0 && !Directory.isDirectory($0)
    }
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static var variables: [String] {
    ["PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH"].compactMap { name in
      variable(name).map { "\(name)=\($0)" }
    }
  }

  /// Runs a program without input, writes its messages to a file, and returns whether it succeeded.
  private static func run(
    _ path: String, _ arguments: [String], writing output: String, messages: String
  ) -> Bool {
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
      &actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var process: pid_t = 0
    guard unsafe posix_spawn(&process, path, &actions, &attributes, texts, environment) == 0 else {
      return false
    }
    let child = process
    running.withLock { $0[child] = [output, messages] }
    defer { running.withLock { $0[child] = nil } }
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
