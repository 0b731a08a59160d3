internal import CupolaGuide

/// A journal as Markdown (CommonMark): days, entries, pictures by their paths.
public enum JournalMarkdown {
  /// The document; what visitors wrote stands there as they wrote it, and marks up nothing.
  public static func text(
    of entries: [JournalEntry], title: String, names: JournalNames = JournalNames()
  ) -> String {
    var blocks = ["# " + MarkdownText.line(title)]
    for day in names.days(of: entries) {
      blocks.append("## \(day.date)")
      for entry in day.entries { blocks += self.blocks(of: entry, names) }
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func blocks(of entry: JournalEntry, _ names: JournalNames) -> [String] {
    var facts = [names.kind(of: entry)]
    if let place = names.subheading(of: entry) { facts.append(MarkdownText.line(place)) }
    if let rating = entry.rating { facts.append(JournalText.stars(rating)) }
    if let position = entry.position { facts.append(JournalText.degrees(position)) }
    if case .question(let question) = entry.content, let email = question.email {
      facts.append("answer to " + MarkdownText.line(email))
    }
    let clock = names.local(entry)?.clock ?? ""
    var blocks = [
      "### \(clock) \(MarkdownText.line(names.heading(of: entry)))",
      "*\(facts.joined(separator: "; "))*",
    ]
    if let text = JournalText.body(of: entry) { blocks += MarkdownText.paragraphs(text) }
    blocks += entry.photos.map { "![photo](\($0.path))" }
    if case .note(let note) = entry.content, let voice = note.voice {
      blocks.append("[voice](\(voice.path))")
    }
    return blocks
  }
}
