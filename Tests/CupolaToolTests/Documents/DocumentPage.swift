import CupolaTestSupport
import Foundation

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
