import CupolaTestSupport
import Foundation
import Testing

/// Rules of the architecture, checked on the sources themselves.
@Suite("Architecture") struct ArchitectureTests {
  struct Source: Sendable, CustomStringConvertible {
    /// Below `Sources`.
    let path: String
    /// Lines without comments.
    let code: [String]
    let lineCount: Int

    var description: String { path }
    var module: Substring { path.prefix { $0 != "/" } }

    /// Words of the code outside of comments.
    func uses(word: String) -> Bool {
      code.contains { line in
        line.split { !($0.isLetter || $0.isNumber || $0 == "_") }.contains { $0 == word }
      }
    }

    func imports(_ module: String) -> Bool {
      code.contains { line in
        let words = line.split(separator: " ")
        return words.contains("import") && words.contains { $0 == module }
      }
    }
  }

  static let sources: [Source] = {
    let root = Repository.root.appending(path: "Sources")
    let paths =
      (FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? [])
    // The code of the guides belongs to apps: no module has it.
    let own = paths.filter { $0.hasSuffix(".swift") && !$0.contains("/Guide/Code/") }
    return own.sorted().compactMap { path in
      let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
      return text.map { text in
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let code = lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        return Source(
          path: path, code: code, lineCount: text.hasSuffix("\n") ? lines.count - 1 : lines.count)
      }
    }
  }()

  static func paths(where matches: (Source) -> Bool) -> Set<String> {
    Set(sources.filter(matches).map(\.path))
  }

  @Test("The sources are found") func found() {
    #expect(Self.sources.count > 40)
    #expect(Self.sources.contains { $0.path == "Cupola/Recognizer.swift" && $0.lineCount > 50 })
  }

  @Test("Only BLAS.swift sees BLAS, and only through C")
  func linearAlgebra() {
    #expect(
      Self.paths { $0.imports("CLinearAlgebra") } == ["Cupola/Mathematics/BLAS.swift"])
    #expect(Self.paths { $0.imports("Accelerate") } == [])
    #expect(Self.paths { $0.imports("CVectors") } == ["Cupola/Mathematics/WideRows.swift"])
    #expect(
      Self.paths { $0.imports("CSHA256") } == ["CupolaCampus/Files/SHA256State.swift"])
  }

  @Test("Only the codec sees libjpeg, and only two folders what Apple's systems bring")
  func codecs() {
    #expect(Self.paths { $0.imports("CJPEG") } == ["Cupola/Photo/JPEG/JPEGCodec.swift"])
    #expect(Self.paths { $0.imports("CLibJPEG") } == [])
    let apple = Self.sources.filter { source in
      ["CoreGraphics", "CoreVideo", "ImageIO", "VideoToolbox"].contains { source.imports($0) }
    }
    #expect(
      apple.allSatisfy { source in
        ["Cupola/Photo/Apple/", "Cupola/Live/Apple/"].contains { source.path.hasPrefix($0) }
      })
  }

  @Test("Nobody but the decoder's list knows the kinds of image files, nor they each other")
  func containers() {
    for (type, folder) in [("JPEGContainer", "JPEG"), ("ImageIOContainer", "Apple")] {
      #expect(
        Self.paths { $0.uses(word: type) } == [
          "Cupola/Photo/PhotoDecoder.swift", "Cupola/Photo/\(folder)/\(type).swift",
        ])
    }
  }

  /// What each module may import of the others.
  static let directions: [(module: String, imports: Set<String>)] = [
    ("CupolaCampus", []),
    ("Cupola", ["CupolaCampus"]),
    ("DrawnPictures", ["CupolaCampus", "Cupola"]),
    ("CupolaTraining", ["CupolaCampus", "Cupola", "DrawnPictures"]),
    ("CupolaExport", ["CupolaCampus", "Cupola", "DrawnPictures"]),
    ("CupolaGuide", ["CupolaCampus"]),
    ("CupolaServe", ["CupolaCampus", "Cupola", "CupolaTraining", "CupolaGuide"]),
    (
      "CupolaTool",
      ["CupolaCampus", "Cupola", "CupolaTraining", "CupolaExport", "CupolaGuide", "CupolaServe"]
    ),
  ]

  @Test("No module is without a direction") func modules() {
    #expect(Set(Self.sources.map { String($0.module) }) == Set(Self.directions.map(\.module)))
  }

  @Test("Modules are imported in one direction", arguments: directions)
  func direction(module: String, imports: Set<String>) {
    let own = Self.sources.filter { $0.module == module }
    #expect(!own.isEmpty)
    for other in Self.directions.map(\.module) where !imports.contains(other) {
      #expect(!own.contains { $0.imports(other) }, "\(module) imports \(other)")
    }
    #expect(!own.contains { $0.imports("ArgumentParser") } || module == "CupolaTool")
    // The renderer in Tools.
    #expect(!own.contains { $0.imports("SampleCampus") })
  }

  @Test("Unsafe code stands only where C is called")
  func unsafeCode() {
    #expect(
      Self.paths { $0.uses(word: "unsafe") } == [
        "Cupola/Live/Apple/LiveRecognizer+CoreVideo.swift",
        "Cupola/Mathematics/BLAS.swift", "Cupola/Mathematics/WideRows.swift",
        "Cupola/Photo/Apple/JPEGCodec+Apple.swift",
        "Cupola/Photo/Apple/RGBImage+CoreGraphics.swift",
        "Cupola/Photo/Apple/RGBImage+CoreVideo.swift", "Cupola/Photo/BigEndian.swift",
        "Cupola/Photo/DecoderMessage.swift",
        "Cupola/Photo/HEIF/HEIFContainer.swift", "Cupola/Photo/JPEG/JPEGCodec.swift",
        "Cupola/Photo/PNG/PNGContainer.swift", "Cupola/Photo/WebP/WebPContainer.swift",
        "CupolaCampus/Backport.swift", "CupolaCampus/Files/Directory.swift",
        "CupolaCampus/Files/FileAccess+Append.swift",
        "CupolaCampus/Files/FileAccess+Private.swift", "CupolaCampus/Files/FileAccess.swift",
        "CupolaCampus/Files/FileError.swift", "CupolaCampus/Files/FolderLock.swift",
        "CupolaCampus/Files/PartFile.swift", "CupolaCampus/Files/SHA256.swift",
        "CupolaCampus/Files/SHA256State.swift",
        "CupolaCampus/Files/StagingFolder.swift",
        "CupolaCampus/Files/WritingPlace.swift",
        "CupolaGuide/Transit/Reading/Inflate.swift",
        "CupolaTool/BuildVersion.swift", "CupolaTool/Live/ByteStream.swift",
        "CupolaTool/Live/Serve.swift", "CupolaTool/Terminal/Console.swift",
        "CupolaTraining/Data/FeatureCache+Trim.swift",
        "CupolaTraining/Data/Import/ImageConverter.swift",
        "DrawnPictures/DrawnPictures.swift",
      ])
  }

  @Test("Nothing is forced, and nothing ends the program that could be told", arguments: sources)
  func noTraps(source: Source) {
    for forbidden in ["try!", "as!", "fatalError(", "-Ounchecked", "unsafeFlags"] {
      #expect(!source.code.contains { $0.contains(forbidden) }, "\(forbidden)")
    }
  }

  @Test("Nothing hangs on how the standard library draws from a seed")
  func draws() {
    let own = ["shuffled(using:", "shuffle(using:", "randomElement(using:"]
    #expect(
      Self.paths { source in
        source.code.contains { line in
          own.contains { line.contains($0) }
            || line.contains(".random(in:") && line.contains("using:")
        }
      } == [])
  }

  @Test("No function takes four or more arguments without labels")
  func labels() {
    #expect(
      Self.paths { source in
        UnlabeledParameters.counts(in: source.code).contains { $0 >= 4 }
      } == [])
  }

  @Test("Unlabeled parameters are counted")
  func counts() {
    func counts(_ lines: String...) -> [Int] { UnlabeledParameters.counts(in: lines) }
    #expect(counts("func a(_ b: Int, c: Int, d e: Int)", "init?(_ a: Int)") == [1, 1])
    #expect(counts("func a<B: C>(", "  _ b: B, of: [B],", "  _ c: inout B) {") == [2])
    #expect(counts("func a(_ b: (Int, Int) -> Void = { _, _ in }, _ c: [Int: Int]) {}") == [2])
    #expect(counts("x.map { _ in 1 }.init(1, b: 2)", "func a()") == [0, 0])
  }

  @Test("No file has more than 300 lines")
  func lengths() { #expect(Self.paths { $0.lineCount > 300 } == []) }
}
