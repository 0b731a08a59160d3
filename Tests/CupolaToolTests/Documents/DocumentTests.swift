import CupolaTestSupport
import Foundation
import Testing

/// What the documents show is tried as it stands there.
///
/// A block says by its language what becomes of it: `swift` is compiled by `Scripts/verify-consumer` or, of Apple's platforms, by
/// `Scripts/check-apple`; `sh` is executed here, `console` too, and its output compared; `json` is read. What is not
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
      "Benchmarks", "Documentation", "Examples", "Packaging", "Scripts", "Sources", "Tests",
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
