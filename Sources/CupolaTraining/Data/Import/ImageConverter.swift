internal import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program that makes JPEG of other images.
struct ImageConverter {
  private enum Argument {
    case text(String)
    case input
    case output
  }

  private struct Way {
    let program: String
    let formats: Set<PhotoFormat>
    let arguments: [Argument]
  }

  /// Those that keep EXIF and turn pictures once come first.
  private static let ways = [
    Way(
      program: "sips", formats: [.heic, .avif, .png, .webp, .tiff, .bmp, .gif, .jpegXL],
      arguments: [.text("-s"), .text("format"), .text("jpeg"), .input, .text("--out"), .output]),
    Way(
      program: "heif-convert", formats: [.heic, .avif],
      arguments: [.text("-q"), .text("92"), .input, .output]),
    Way(program: "djxl", formats: [.jpegXL], arguments: [.input, .output]),
    Way(program: "magick", formats: others, arguments: flattened),
    Way(program: "convert", formats: others, arguments: flattened),
  ]
  private static let others: Set<PhotoFormat> = [
    .heic, .avif, .png, .webp, .tiff, .bmp, .gif, .jpegXL,
  ]
  private static let flattened: [Argument] = [
    .input, .text("-auto-orient"), .text("-background"), .text("white"), .text("-flatten"),
    .text("-quality"), .text("92"), .output,
  ]

  /// Seconds that a conversion may take.
  private static let longest = 120

  private let path: String
  private let way: Way

  /// `nil` when no program for the format is installed.
  init?(for format: PhotoFormat) {
    for way in Self.ways where way.formats.contains(format) {
      guard let path = Self.find(way.program) else { continue }
      (self.path, self.way) = (path, way)
      return
    }
    return nil
  }

  /// The bytes of a JPEG of an image file; what the program writes stands beside a file to come until then.
  func convert(
    _ input: String, beside output: String, _ format: PhotoFormat
  ) throws(CupolaError) -> [UInt8] {
    let temporary =
      output + ".part-" + String(UInt64.random(in: 0...UInt64.max), radix: 16) + ".jpg"
    defer { unsafe unlink(temporary) }
    let arguments = way.arguments.map { argument in
      switch argument {
      case .text(let text): text
      // A name that begins with a dash would be an option.
      case .input: input.hasPrefix("-") ? "./" + input : input
      case .output: temporary.hasPrefix("-") ? "./" + temporary : temporary
      }
    }
    guard Self.run(path, [way.program] + arguments) else {
      throw .damagedPhoto(format, "\(way.program) could not convert it")
    }
    do throws(FileError) { return try FileAccess.read(temporary) } catch {
      throw .damagedPhoto(format, "\(way.program) wrote nothing")
    }
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

  /// Runs a program without input, output or messages; whether it ended well.
  private static func run(_ path: String, _ arguments: [String]) -> Bool {
    let variables = ["PATH", "HOME", "TMPDIR", "LANG", "LD_LIBRARY_PATH"].compactMap { name in
      variable(name).map { "\(name)=\($0)" }
    }
    let texts = unsafe arguments.map { unsafe strdup($0) } + [nil]
    let environment = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe (texts + environment).forEach { unsafe free($0) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      let mode = file == STDIN_FILENO ? O_RDONLY : O_WRONLY
      unsafe posix_spawn_file_actions_addopen(&actions, file, "/dev/null", mode, 0)
    }
    var process: pid_t = 0
    guard unsafe posix_spawn(&process, path, &actions, nil, texts, environment) == 0 else {
      return false
    }
    return wait(for: process)
  }

  private static func wait(for process: pid_t) -> Bool {
    var status: Int32 = 0
    for _ in 0..<longest * 100 {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return status == 0 }
      if ended < 0, errno != EINTR { return false }
      usleep(10_000)
    }
    kill(process, SIGKILL)
    _ = unsafe waitpid(process, &status, 0)
    return false
  }
}
