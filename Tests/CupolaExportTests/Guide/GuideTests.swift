import Cupola
import CupolaExport
import CupolaTestSupport
import Foundation
import Testing

/// Compiles or runs the code in exports with the drivers in `Tests/GuideDrivers`.
@Suite("Guide code") struct GuideTests {
  @Test("Python", .enabled(if: GuideTool.python3.path != nil, "no python3"))
  func python() throws {
    let exports = try GuideExport.all(.onnx)
    let output = try GuideTool.python3.run(
      [GuideTool.driver("python/answer.py")] + exports.map(\.folder.path))
    GuideExport.check(output, of: exports)
  }

  static let hasNumPy =
    (try? GuideTool.python3.path.map { try CProgram.run($0, ["-c", "import numpy"]).status }) == 0

  @Test("Python for model files", .enabled(if: hasNumPy, "no python3 with NumPy"))
  func tensors() throws {
    let exports = try GuideExport.all(.safetensors)
    for export in exports {
      let logits = export.entry.sheet.decisions.map { decision in
        decision.logits.map { "\(Double($0))" }.joined(separator: " ") + "\n"
      }
      try export.folder.write(logits.joined(), to: "logits.txt")
    }
    let output = try GuideTool.python3.run(
      [GuideTool.driver("python/probabilities.py")] + exports.map(\.folder.path))
    let found = output.split(separator: "\n").map {
      $0.split(separator: " ").map { Double($0) ?? .nan }
    }
    let wanted = exports.flatMap { $0.entry.sheet.decisions.map($0.entry.probabilities) }
    try #require(found.map(\.count) == wanted.map(\.count))
    for (a, b) in zip(found.joined(), wanted.joined()) { #expect(abs(a - b) < 1e-12) }
  }

  @Test("JavaScript", .enabled(if: GuideTool.node.path != nil, "no node"))
  func javaScript() throws {
    let exports = try GuideExport.all(.onnx)
    let stub = try Data(contentsOf: URL(filePath: GuideTool.driver("web/onnxruntime-web.mjs")))
    for export in exports {
      let module = "node_modules/onnxruntime-web/"
      try export.folder.write(
        #"{"type": "module", "main": "index.js"}"#, to: module + "package.json")
      try export.folder.write(Array(stub), to: module + "index.js")
    }
    let output = try GuideTool.node.run(
      [GuideTool.driver("web/answer.mjs")] + exports.map(\.folder.path))
    GuideExport.check(output, of: exports)
  }

  @Test("C", .enabled(if: CProgram.isPossible, CProgram.missing))
  func c() throws {
    let compiler = try #require(CProgram.compiler)
    for export in try GuideExport.all(.c) {
      let folder = export.folder.path
      let object = folder + "/cupola.o"
      let flags = CProgram.strict + ["-I", folder]
      _ = try GuideTool.run(
        compiler, flags + ["-O0", "-c", "-o", object, folder + "/cupola.c"])
      for (source, program) in [
        (GuideTool.driver("c/answer.c"), "/answer"), (folder + "/example.c", "/example"),
        (folder + "/check.c", "/check"),
      ] {
        _ = try GuideTool.run(compiler, flags + ["-o", folder + program, source, object, "-lm"])
      }
      _ = try GuideTool.run(folder + "/check", [folder])
      let output = try GuideTool.run(
        folder + "/answer", [], input: Array(export.entry.cases.utf8))
      GuideExport.check(output, of: [export], isC: true)
      let photo = try export.folder.write("P6\n1 1\n255\nabc", to: "photo.ppm")
      let deep = try export.folder.write("P6\n1 1\n65535\nabcdef", to: "deep.ppm")
      let wide = try export.folder.write("P6\n4294967297 1\n255\nabc", to: "wide.ppm")
      for other in [object, deep, wide] {
        #expect(try CProgram.run(folder + "/example", [other]).status == 65)
      }
      for place in export.entry.sheet.places {
        let numbers = place.at.compactMap { $0.map { "\($0)" } }
        let answer = try GuideTool.run(folder + "/example", [photo] + numbers)
        #expect((answer == "Not on Campus\n") == place.outside, "\(place.note)")
      }
    }
  }

  @Test("C uses the library's field of view for upright pictures")
  func uprightView() throws {
    let export = try #require(try GuideExport.all(.c).first)
    let code = String(decoding: try export.folder.bytes("example.c"), as: UTF8.self)
    let match = try #require(code.firstMatch(of: #/width < height \? ([0-9.]+) : NAN/#))
    let degrees = try #require(Double(match.1))
    let usual = FieldOfView(focalLength: nil, width: 3, height: 4)
    #expect(abs(degrees - usual.degrees) < 0.005)
  }

  #if os(Linux)
    @Test("Swift", .enabled(if: GuideTool.swiftc.path != nil, "no swiftc"))
    func swift() throws {
      let stubs = try TemporaryFolder()
      let modules = ["CoreLocation", "CoreML", "ImageIO", "Vision"]
      for module in modules {
        _ = try GuideTool.swiftc.run([
          "-parse-as-library", "-emit-module", "-emit-object", "-warnings-as-errors", "-I",
          stubs.path,
          "-enable-upcoming-feature", "InternalImportsByDefault", "-module-name", module,
          "-emit-module-path", "\(stubs.path)/\(module).swiftmodule",
          "-o", "\(stubs.path)/\(module).o", GuideTool.driver("apple/\(module).swift"),
        ])
      }
      let flags = ["-warnings-as-errors", "-I", stubs.path]
      for export in try GuideExport.all(.coreml) {
        let code = ["CampusRecognizer", "CampusAnswer", "Place", "Square"].map {
          "\(export.folder.path)/\($0).swift"
        }
        let program = export.folder.path + "/answer"
        _ = try GuideTool.swiftc.run(
          flags + ["-o", program, GuideTool.driver("apple/main.swift")] + code
            + modules.map { "\(stubs.path)/\($0).o" })
        GuideExport.check(try GuideTool.run(program, [export.folder.path]), of: [export])
        _ = try GuideTool.swiftc.run(
          flags + [
            "-emit-module", "-module-name", "CampusRecognition", "-emit-module-path",
            export.folder.path + "/CampusRecognition.swiftmodule",
          ] + code)
        _ = try GuideTool.swiftc.run(
          flags + [
            "-typecheck", "-I", export.folder.path, export.folder.path + "/Check/main.swift",
          ])
      }
    }
  #endif

  /// The folder with the jars of a Kotlin compiler, which `Scripts/verify guides` downloads.
  static let kotlinJars = ProcessInfo.processInfo.environment["CUPOLA_KOTLIN"]

  @Test(
    "Kotlin",
    .enabled(
      if: kotlinJars != nil && GuideTool.java.path != nil, "no Kotlin; Scripts/verify guides"))
  func kotlin() throws {
    let jars = try #require(Self.kotlinJars)
    let classPath = jars + "/*"
    let stubs = try FileManager.default.contentsOfDirectory(atPath: GuideTool.driver("android"))
      .sorted().map { GuideTool.driver("android/" + $0) }
    for export in try GuideExport.all(.tflite) {
      let code = ["CampusRecognizer", "CampusAnswer", "Place"].map {
        "\(export.folder.path)/src/main/kotlin/\($0).kt"
      }
      let classes = export.folder.path + "/classes"
      _ = try GuideTool.java.run(
        [
          "-cp", classPath, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-Werror", "-no-stdlib",
          "-no-reflect", "-cp", jars + "/kotlin-stdlib.jar", "-d", classes,
        ] + stubs + code)
      let output = try GuideTool.java.run(
        ["-cp", "\(classes):\(jars)/kotlin-stdlib.jar", "MainKt", export.folder.path])
      GuideExport.check(output, of: [export])
    }
  }
}

/// An export of a model in the table.
struct GuideExport {
  let entry: GuideTable.Entry
  let folder: TemporaryFolder

  static func all(_ format: ExportFormat) throws -> [GuideExport] {
    try GuideTable.entries().map { try GuideExport($0, format) }
  }

  private init(_ entry: GuideTable.Entry, _ format: ExportFormat) throws {
    (self.entry, folder) = (entry, try TemporaryFolder())
    let export = try SampleExports.export(format, of: entry.model)
    for file in export.files { try folder.write(file.bytes, to: file.path) }
    try folder.write(entry.cases, to: "cases.txt")
  }

  /// Compares the output of a driver for some exports with the table.
  ///
  /// - Parameter isC: Whether the driver prints no part.
  static func check(_ output: String, of exports: [GuideExport], isC: Bool = false) {
    var lines = output.split(separator: "\n").map(String.init)[...]
    for export in exports {
      let sheet = export.entry.sheet
      if !isC { #expect(lines.popFirst() == export.entry.part, "\(sheet.name)") }
      for decision in sheet.decisions {
        #expect(
          lines.popFirst() == export.entry.text(decision), "\(sheet.name): \(decision.note)")
      }
      for place in sheet.places {
        let isOutside = lines.popFirst().map { $0 == "Not on Campus" }
        #expect(isOutside == place.outside, "\(sheet.name): \(place.note) \(place.at)")
      }
      for here in sheet.here ?? [] {
        let wanted = try? PlaceAnswer(export.entry.answer(here))
        let found = lines.popFirst().map(PlaceAnswer.init)
        #expect(found == wanted, "\(sheet.name): \(here.note)")
      }
    }
    #expect(lines.isEmpty)
  }
}

/// Programs that run the guides' code.
enum GuideTool: String {
  case python3, node, swiftc, java

  /// The path of the program.
  var path: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(rawValue)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func driver(_ path: String) -> String {
    Repository.root.appending(path: "Tests/GuideDrivers/" + path).path
  }

  /// Runs the program and returns its output.
  func run(_ arguments: [String]) throws -> String {
    try Self.run(try #require(path), arguments)
  }

  static func run(
    _ path: String, _ arguments: [String], input: [UInt8] = []
  ) throws -> String {
    let output = try CProgram.run(path, arguments, input)
    try #require(output.status == 0, "\(output.errors)")
    return String(decoding: output.data, as: UTF8.self)
  }
}
