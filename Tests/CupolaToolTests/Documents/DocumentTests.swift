import CupolaTestSupport
import Foundation
import Testing

/// Tests the code blocks of documents.
///
/// The language of a block determines the test: `Scripts/verify consumer` or `Scripts/verify apple` compile `swift`;
/// `sh` and `console` are executed here, and `console` output is compared; `json` is parsed. A comment above a block
/// states why it is excluded.
@Suite("Documents") struct DocumentTests {
  /// Languages of blocks that show files or output.
  static let shown: Set<String> = ["text", "nginx"]
  private static let cache = Result { try TemporaryFolder() }

  @Test("Finds all pages") func found() {
    let paths = Set(DocumentPage.all.map(\.path))
    for page in ["README.md", "Documentation/Formats.md", "Sources/Cupola/Cupola.docc/Live.md"] {
      #expect(paths.contains(page))
    }
  }

  @Test("Every block has a language and a valid mark", arguments: DocumentPage.all)
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
    "Commands produce the documented output",
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

  @Test("Links between pages are valid", arguments: DocumentPage.all)
  func links(page: DocumentPage) throws {
    // Code may contain brackets that look like links.
    let text = try page.blocks.reduce(
      String(contentsOf: Repository.root.appending(path: page.path), encoding: .utf8)
    ) { $0.replacing($1.text, with: "") }
    let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
    for match in text.matches(of: /\]\(([^)#\s]*)(#[^)\s]*)?\)/) {
      let (link, anchor) = (String(match.1), match.2)
      // In DocC catalogs, images are found by name, so check only links to documents.
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

  @Test("Repository files named in pages exist", arguments: DocumentPage.all)
  func files(page: DocumentPage) throws {
    let folders: Set<Substring> = [
      "Documentation", "Examples", "Packaging", "Scripts", "Sources", "Tests",
      "Tools",
    ]
    let text = try String(contentsOf: Repository.root.appending(path: page.path), encoding: .utf8)
    for match in text.matches(of: /`([A-Z][a-z]+)\/([^`<>\s]+)`/)
    where folders.contains(match.1) {
      let path = "\(match.1)/\(match.2)"
      // A placeholder, such as Tests/Fuzz/Corpus/TARGET.
      if path.hasSuffix("/TARGET") { continue }
      #expect(Repository.exists(Repository.root.appending(path: path)), "\(path)")
    }
  }

  private static func anchors(of text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.dropFirst().lowercased()
        let kept = title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        return "#" + kept.replacing(" ", with: "-")
      })
  }

  @Test("Blocks, marks and transcripts are parsed")
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

/// A page and its code blocks.
struct DocumentPage: Sendable, CustomStringConvertible {
  struct Block: Sendable {
    let line: Int
    let language: String
    let text: String
    /// The comment directly above, without delimiters.
    let mark: String?

    func isExcused(by words: String) -> Bool {
      guard let mark, mark.hasPrefix(words) else { return false }
      return mark.dropFirst(words.count).contains { $0.isLetter }
    }

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

  let path: String
  let blocks: [Block]
  let indented: [Int]

  var description: String { path }
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

  /// All pages: documents, DocC catalogs, samples and examples.
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

/// A folder with the files that documents mention, filled with sample campus photos.
struct DocumentFolder {
  private let folder: TemporaryFolder
  private let cache: TemporaryFolder
  private let shell: [String: String]

  /// - Parameter cache: A feature cache shared by all pages.
  init(cache: TemporaryFolder) throws {
    folder = try TemporaryFolder()
    self.cache = cache
    try folder.write(program: Self.command(try Tool.executable().path), to: "bin/cupola")
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("bin") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["XDG_CACHE_HOME"] = cache.path
    environment["COLUMNS"] = "80"
    environment["NO_COLOR"] = "1"
    shell = environment
    try fill()
  }

  /// The command, with `--preset fast` in short test runs unless a page chooses features.
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

  /// Runs a shell script until its first failure; stdout and stderr are combined.
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
