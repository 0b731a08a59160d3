import CupolaTestSupport
import Foundation
import Testing

/// What the documents show is tried as it stands there.
///
/// A block says by its language what becomes of it: `swift` is compiled by `Scripts/verify consumer` or, of Apple's platforms, by
/// `Scripts/verify apple`; `sh` is executed here, `console` too, and its output compared; `json` is read. What is not
/// has a comment above it that says why.
@Suite("Documents") struct DocumentTests {
  /// Languages of blocks that show what files or pictures look like.
  static let shown: Set<String> = ["text", "nginx"]
  private static let cache = Result { try TemporaryFolder() }

  @Test("All pages are found") func found() {
    let paths = Set(DocumentPage.all.map(\.path))
    for page in ["README.md", "Documentation/Formats.md", "Sources/Cupola/Cupola.docc/Live.md"] {
      #expect(paths.contains(page))
    }
  }

  @Test("Every block says what it is", arguments: DocumentPage.all)
  func marks(page: DocumentPage) {
    #expect(page.indented == [], "code without a language")
    for block in page.blocks {
      let place: Comment = "\(page.path):\(block.line)"
      switch block.language {
      case "swift":
        let mark = block.mark ?? ""
        #expect(
          mark.hasPrefix("compiled with:") || mark.hasPrefix("compiled on Apple platforms with:")
            || block.isExcused(by: "not compiled:"), place)
      case "sh", "console":
        #expect(block.mark == nil || isExcused(block), place)
        if block.language == "console" { #expect(!block.transcript.isEmpty, place) }
      case "json":
        #expect(throws: Never.self, place) {
          try JSONSerialization.jsonObject(with: Data(block.text.utf8))
        }
      default: #expect(Self.shown.contains(block.language), place)
      }
    }
  }

  @Test(
    "Commands do what the page says",
    arguments: DocumentPage.all.filter { page in
      page.blocks.contains { ["sh", "console"].contains($0.language) }
    })
  func commands(page: DocumentPage) throws {
    let folder = try DocumentFolder(cache: try Self.cache.get())
    for block in page.blocks where !block.isExcused(by: "not executed:") {
      let place: Comment = "\(page.path):\(block.line)"
      if block.language == "sh" {
        let output = try folder.run(block.text)
        #expect(output.status == 0, "\(place): \(output.stdout)")
      } else if block.language == "console" {
        for run in block.transcript {
          let output = try folder.run(run.command)
          if !block.isExcused(by: "output differs:") {
            #expect(lines(output.stdout) == lines(run.output), place)
          }
        }
      }
    }
  }

  private func isExcused(_ block: DocumentPage.Block) -> Bool {
    block.isExcused(by: "not executed:") || block.isExcused(by: "output differs:")
  }

  private func lines(_ text: String) -> [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  @Test("Links between pages lead somewhere", arguments: DocumentPage.all)
  func links(page: DocumentPage) throws {
    // Code may have brackets like those of a link.
    let text = try page.blocks.reduce(
      String(contentsOf: Repository.root.appending(path: page.path), encoding: .utf8)
    ) { $0.replacing($1.text, with: "") }
    let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
    for match in text.matches(of: /\]\(([^)#\s]*)(#[^)\s]*)?\)/) {
      let (link, anchor) = (String(match.1), match.2)
      // Of catalogs only links to other documents; their pictures are found by name.
      guard !link.contains("://"), !page.path.contains(".docc/") || link.contains(".md") else {
        continue
      }
      let file = link.isEmpty ? folder.appending(path: page.name) : folder.appending(path: link)
      #expect(Repository.exists(file), "\(link)")
      guard let anchor, link.isEmpty || link.hasSuffix(".md") else { continue }
      let target = try String(contentsOf: file, encoding: .utf8)
      #expect(Self.anchors(of: target).contains(String(anchor)), "\(link)\(anchor)")
    }
  }

  @Test("Files of the repository that pages name are there", arguments: DocumentPage.all)
  func files(page: DocumentPage) throws {
    let folders: Set<Substring> = [
      "Documentation", "Examples", "Packaging", "Scripts", "Sources", "Tests",
      "Tools",
    ]
    let text = try String(contentsOf: Repository.root.appending(path: page.path), encoding: .utf8)
    for match in text.matches(of: /`([A-Z][a-z]+)\/([^`<>\s]+)`/)
    where folders.contains(match.1) {
      let path = "\(match.1)/\(match.2)"
      // Such as Tests/Fuzz/Corpus/TARGET: each has a name of its own.
      if path.hasSuffix("/TARGET") { continue }
      #expect(Repository.exists(Repository.root.appending(path: path)), "\(path)")
    }
  }

  /// What GitHub makes of headings.
  private static func anchors(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.dropFirst().lowercased()
        let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        return "#" + kept.replacing(" ", with: "-")
      })
  }

  @Test("Blocks, marks and transcripts are told apart")
  func parsing() throws {
    let page = DocumentPage(
      "a.md",
      """
      <!-- not executed: no network -->
      ```sh
      a
      ```

          b

      ```console
      $ c
      d

      e
      $ f
      ```
      """)
    #expect(page.blocks.map(\.language) == ["sh", "console"])
    #expect(page.blocks[0].isExcused(by: "not executed:"))
    #expect(!page.blocks[0].isExcused(by: "not executed: no network"))
    #expect(page.indented == [6])
    let runs = page.blocks[1].transcript
    #expect(runs.map(\.command) == ["c", "f"] && runs.map(\.output) == ["d\n\ne\n", ""])
  }
}

/// A page of the documents, and its blocks of code.
struct DocumentPage: Sendable, CustomStringConvertible {
  /// A fenced block.
  struct Block: Sendable {
    /// The line of its fence.
    let line: Int
    let language: String
    let text: String
    /// The comment right above it, without its brackets.
    let mark: String?

    /// Whether a comment says why it is left alone.
    func isExcused(by words: String) -> Bool {
      guard let mark, mark.hasPrefix(words) else { return false }
      return mark.dropFirst(words.count).contains { $0.isLetter }
    }

    /// The commands behind `$`, each with the lines that follow it.
    var transcript: [(command: String, output: String)] {
      var runs: [(command: String, output: String)] = []
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("$ ") {
          runs.append((String(line.dropFirst(2)), ""))
        } else if !runs.isEmpty {
          runs[runs.count - 1].output += line + "\n"
        }
      }
      return runs
    }
  }

  /// Below the repository.
  let path: String
  let blocks: [Block]
  /// Lines that are code by their indentation alone.
  let indented: [Int]

  var description: String { path }
  /// In its folder.
  var name: String { String(path.split(separator: "/").last ?? "") }

  init(_ path: String, _ text: String) {
    self.path = path
    var blocks: [Block] = []
    var indented: [Int] = []
    var begun: (line: Int, language: String, lines: [Substring], mark: String?)?
    var last: Substring = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let fence = line.drop { $0 == " " }
      if let block = begun {
        if fence == "```" {
          blocks.append(
            Block(
              line: block.line, language: block.language,
              text: block.lines.joined(separator: "\n"), mark: block.mark))
          begun = nil
        } else {
          begun?.lines.append(line)
        }
      } else if fence.hasPrefix("```") {
        begun = (index + 1, String(fence.dropFirst(3)), [], Self.comment(last))
      } else if line.hasPrefix("    "), last.isEmpty {
        indented.append(index + 1)
      }
      last = line
    }
    self.blocks = blocks
    self.indented = indented
  }

  private static func comment(_ text: Substring) -> String? {
    let line = text.drop { $0 == " " }
    guard line.hasPrefix("<!-- "), line.hasSuffix(" -->") else { return nil }
    return String(line.dropFirst(5).dropLast(4))
  }

  /// All pages that people read: beside the sources, in the catalogs, and of samples and examples.
  static let all: [DocumentPage] = {
    let folders = ["Documentation", "Examples", "Sources", "TrainingData"]
    var paths = ["README.md", "CONTRIBUTING.md"]
    for folder in folders {
      let root = Repository.root.appending(path: folder).path
      let below = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
      paths += below.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
    }
    return paths.compactMap { path in
      let file = Repository.root.appending(path: path)
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
      return DocumentPage(path, text)
    }
  }()
}

/// A folder with what the documents speak of: a few photos of the sample campus stand for one's own.
struct DocumentFolder {
  private let folder: TemporaryFolder
  private let cache: TemporaryFolder
  private let shell: [String: String]

  /// - Parameter cache: shared by all pages, because trainings describe the same photos.
  init(cache: TemporaryFolder) throws {
    folder = try TemporaryFolder()
    self.cache = cache
    let tool = try folder.write(Self.command(try Tool.executable().path), to: "bin/cupola")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("bin") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["XDG_CACHE_HOME"] = cache.path
    environment["COLUMNS"] = "80"
    environment["NO_COLOR"] = "1"
    shell = environment
    try fill()
  }

  /// The command; unless tests run in full, with the smallest features where a page does not name any.
  private static func command(_ executable: String) -> String {
    let small = """
      case "$1 $*" in
        *--features*|*--preset*|*--update*|*--mixture*) ;;
        "train "*|"features "*) exec "\(executable)" "$@" --preset fast ;;
      esac
      """
    return """
      #!/bin/sh
      \(Verification.isFull ? "" : small)
      exec "\(executable)" "$@"

      """
  }

  private func fill() throws {
    for name in ["TrainingData", "Models", "Examples"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path(name),
        withDestinationPath: Repository.root.appending(path: name).path)
    }
    for building in ["bell_tower", "founders_hall", "old_library", "palm_house"] {
      try copy("TrainingData/\(building)", to: "photos/\(building)", photos: 1...12)
    }
    try copy("TrainingData/_not_a_building", to: "streets", photos: 1...12)
    try copy("TrainingData/founders_hall", to: "walk", photos: 1...4)
    try copy("TrainingData/chapel", to: "DCIM/chapel", photos: 1...12)
    try copy("TrainingData/founders_hall/14.jpg", to: "visit.jpg")
    for name in ["campus.geojson", "paths.geojson", "tour.json"] {
      try copy("TrainingData/\(name)", to: name)
    }
    try copy("Models/sample-campus.safetensors", to: "campus.safetensors")
  }

  private func copy(_ source: String, to target: String, photos: ClosedRange<Int>) throws {
    for number in photos {
      let name = "\(number < 10 ? "0" : "")\(number).jpg"
      try copy("\(source)/\(name)", to: "\(target)/\(name)")
    }
  }

  private func copy(_ source: String, to target: String) throws {
    try folder.write(
      Array(try Data(contentsOf: Repository.root.appending(path: source))), to: target)
  }

  /// Runs a text as a shell does, and ends with its first command that fails; both outputs are one.
  func run(_ script: String) throws -> Tool.Output {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-euo", "pipefail", "-c", "exec 2>&1\n" + script]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = shell
    process.standardInput = FileHandle.nullDevice
    return try Tool.output(of: process)
  }
}
