internal import Cupola

// 1. Join the C export, functions for JavaScript, and definitions that replace the C library.
// 2. Compile them with the first Clang that supports WebAssembly, and link them, in a temporary folder.
// 3. Report what is missing if no compiler succeeds.

/// The C export of a model as a WebAssembly program for browsers.
struct WebProgram {
  static let path = "campus.wasm"

  /// The source files.
  let code: [ExportFile]

  init(_ source: [ExportFile]) {
    let functions = PackageResources.web_c
    code =
      source.map { file in
        ExportFile(
          path: file.path,
          bytes: file.path == CSource.sourceName ? file.bytes + functions : file.bytes)
      } + [
        ExportFile(path: "math.h", bytes: PackageResources.math_h),
        ExportFile(path: "string.h", bytes: PackageResources.string_h),
      ]
  }

  /// The SHA-256 of the source files, which identifies the program, because compilers produce different bytes.
  var digest: String { SHA256.hexadecimal(of: code.flatMap(\.bytes)) }

  /// Compiles the program.
  ///
  /// - Throws: ``ExportError/webCompiler(_:)`` if there is no compiler or linker, or none succeeds; ``FileError``.
  func compiled() throws -> [UInt8] {
    let prefix = (InstalledProgram.variable("TMPDIR") ?? "/tmp") + "/cupola-web-"
    StagingFolder.removeDead(prefix: prefix) { _ in true }
    let folder = try StagingFolder(prefix: prefix)
    defer { folder.remove() }
    for file in code {
      try FileAccess.write(file.bytes, to: folder.path + "/" + file.path, synced: false)
    }
    let compilers = Self.compilers
    guard compilers.contains(where: { compile($0, in: folder.path) }) else {
      throw ExportError.webCompiler(compilers.isEmpty ? "" : Self.message(in: folder.path))
    }
    let linkers = Self.linkers
    guard linkers.contains(where: { link($0, in: folder.path) }) else {
      throw ExportError.webCompiler(linkers.isEmpty ? "" : Self.message(in: folder.path))
    }
    return try FileAccess.read(folder.path + "/" + Self.path)
  }

  // MARK: - Tools

  /// The folders in which Homebrew and Swift for macOS install compilers that are not in PATH.
  private static let folders = [
    "/opt/homebrew/opt/llvm/bin", "/opt/homebrew/opt/lld/bin", "/usr/local/opt/llvm/bin",
    "/usr/local/opt/lld/bin", "/Library/Developer/Toolchains/swift-latest.xctoolchain/usr/bin",
  ]
  /// The versions in the names of Debian's packages.
  private static let versions = [""] + (14...30).reversed().map { "-\($0)" }

  /// The compilers to try. Apple's Clang, for example, does not support WebAssembly.
  private static var compilers: [String] {
    let chosen = InstalledProgram.variable("CC") ?? ""
    let first = chosen.hasPrefix("/") ? [chosen] : InstalledProgram.all([chosen])
    return first + InstalledProgram.all(versions.map { "clang" + $0 }, beyondPath: folders)
  }

  private static var linkers: [String] {
    InstalledProgram.all(versions.map { "wasm-ld" + $0 }, beyondPath: folders)
  }

  /// Whether compilers and linkers are installed, which may still lack support for WebAssembly.
  static var isPossible: Bool { !compilers.isEmpty && !linkers.isEmpty }

  // MARK: - Commands

  /// All browsers since 2023 support these instructions.
  private static let flags = ["-O3", "-msimd128", "-mbulk-memory"]
  /// An answer with a position uses about 40 bytes of stack per building of the map, so the default of 64 KB is too small
  /// for a town. With the stack first in memory, an overflow overwrites no data.
  private static let stack = ["--stack-first", "-z", "stack-size=8388608"]

  private func compile(_ compiler: String, in folder: String) -> Bool {
    let files = ["-I", folder, "-c", "-o", folder + "/campus.o", folder + "/" + CSource.sourceName]
    return Self.run(
      [compiler, "--target=wasm32", "-std=c99", "-ffreestanding", "-w"] + Self.flags + files,
      in: folder)
  }

  private func link(_ linker: String, in folder: String) -> Bool {
    let files = ["-o", folder + "/" + Self.path, folder + "/campus.o"]
    return Self.run([linker, "--no-entry", "--strip-all"] + Self.stack + files, in: folder)
  }

  private static func run(_ command: [String], in folder: String) -> Bool {
    InstalledProgram.run(command, messages: folder + "/messages.txt", seconds: 600)
  }

  private static func message(in folder: String) -> String {
    InstalledProgram.firstLine(of: folder + "/messages.txt")
      .replacing(folder + "/", with: "")
  }
}
