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
    let text = try String(
      contentsOf: Repository.root.appending(path: page.path), encoding: .utf8)
    let folder = Repository.root.appending(path: page.path).deletingLastPathComponent()
    for link in text.matches(of: /\]\(([^)#\s]+)(#[^)\s]*)?\)/).map(\.1) {
      guard !link.contains("://"), !page.path.contains(".docc/") else { continue }
      #expect(Repository.exists(folder.appending(path: String(link))), "\(link)")
    }
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
