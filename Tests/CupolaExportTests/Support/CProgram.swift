import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

/// A C export compiled with `Scripts/exports/harness.c`.
struct CProgram {
  /// The compiler, if available.
  static let compiler = ["/usr/bin/gcc", "/usr/bin/cc"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let isPossible = compiler != nil
  static let missing: Comment = "no C compiler"

  /// Strict compiler flags, with which exports must give no warnings.
  static let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
  /// Sanitizers for out-of-bounds access and undefined behavior.
  static let sanitized =
    strict + ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]

  private let folder: TemporaryFolder
  private let executable: String

  /// Compiles an export. Warnings are errors.
  init(_ source: CSource, flags: [String] = Self.strict + ["-O1"]) throws {
    folder = try TemporaryFolder()
    try folder.write(source.header, to: CSource.headerName)
    let file = try folder.write(source.source, to: CSource.sourceName)
    executable = folder.path + "/program"
    let harness = Repository.root.appending(path: "Scripts/exports/harness.c").path
    let compiler = try #require(Self.compiler)
    let output = try Self.run(
      compiler,
      flags + ["-I", folder.path, "-o", executable, harness, file, "-lm"])
    try #require(output.status == 0, "\(output.errors)")
    try #require(output.errors.isEmpty, "\(output.errors)")
  }

  /// Labels and names.
  func texts() throws -> (labels: [String], names: [String]) {
    let texts = try lines(["texts"]).map { line in
      let digits = Array(line.utf8)
      let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    return (Array(texts[..<(texts.count / 2)]), Array(texts[(texts.count / 2)...]))
  }

  /// The result for a square.
  struct Answer: Equatable {
    let probabilities: [Double]
    /// As in `enum cupola_verdict`.
    let verdict: Int
    let label: Int
    /// The probability of the label.
    let probability: Double
  }

  func answers(_ squares: [RGBImage]) throws -> [Answer] {
    try lines(["classify"], squares.flatMap(\.pixels)).map { line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      let last = numbers.suffix(3).map(\.self)
      return Answer(
        probabilities: Array(numbers.dropLast(3)), verdict: Int(last[0]), label: Int(last[1]),
        probability: last[2])
    }
  }

  /// The bytes of the square.
  func square(of image: RGBImage) throws -> [UInt8] {
    let output = try Self.run(
      executable, ["resize", "\(image.width)", "\(image.height)"], image.pixels)
    try #require(output.status == 0, "\(output.errors)")
    return output.data
  }

  /// Whether a size is rejected.
  func refuses(width: Int, height: Int) throws -> Bool {
    let input = [UInt8](repeating: 0, count: 3 * width * height)
    return try Self.run(executable, ["resize", "\(width)", "\(height)"], input).status == 1
  }

  func contains(_ places: [(latitude: Double, longitude: Double)]) throws -> [Bool] {
    try lines(["fence"] + places.flatMap { ["\($0.latitude)", "\($0.longitude)"] }).map {
      $0 == "1"
    }
  }

  /// Whether positions with errors are off campus.
  func isOff(_ places: [Position]) throws -> [Bool] {
    let numbers = places.flatMap {
      ["\($0.latitude)", "\($0.longitude)", "\($0.horizontalError ?? 15)"]
    }
    return try lines(["off"] + numbers).map { $0 == "1" }
  }

  private func lines(_ arguments: [String], _ input: [UInt8] = []) throws -> [String] {
    let output = try Self.run(executable, arguments, input)
    try #require(output.status == 0, "\(output.errors)")
    return String(decoding: output.data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  static func run(
    _ executable: String, _ arguments: [String], _ input: [UInt8] = []
  ) throws -> (status: Int32, data: [UInt8], errors: String) {
    let place = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.standardInput = try FileHandle(
      forReadingFrom: URL(filePath: try place.write(input, to: "input")))
    let errors = try place.write(to: "errors")
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let messages = try Data(contentsOf: URL(filePath: errors))
    return (process.terminationStatus, Array(data), String(decoding: messages, as: UTF8.self))
  }
}
