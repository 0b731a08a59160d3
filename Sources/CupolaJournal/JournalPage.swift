internal import CupolaCampus
public import CupolaGuide
internal import CupolaSupport
internal import Foundation

// 1. Assign a numbered pin to each position, and draw the map.
// 2. Write the entries of each day, with escaped texts and links to media.
// 3. Add a security policy that restricts the page to the journal's files.

/// Exports a journal as an HTML page with a map; the page has no scripts and makes no external requests.
package enum JournalPage {
  /// Returns the page; the pins on the SVG `map` have the numbers from ``pins(of:)``.
  static func html(
    of entries: [JournalEntry], title: String, names: JournalNames, map: String?
  ) -> String {
    let numbers = Dictionary(
      pins(of: entries).map { ($0.entry, $0.number) }, uniquingKeysWith: { first, _ in first })
    var body = "<h1>\(line(title))</h1>\n"
    if let map { body += "<figure class=\"map\">\(map)</figure>\n" }
    for day in names.days(of: entries) {
      body += "<section>\n<h2><time datetime=\"\(day.date)\">\(day.date)</time></h2>\n"
      for entry in day.entries { body += article(entry, numbers[entry.id], names) }
      body += "</section>\n"
    }
    if entries.isEmpty { body += "<p>No entries yet.</p>\n" }
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="\(policy(map))">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>\(line(title))</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>
      \(body)</main>
      </body>
      </html>

      """
  }

  /// Returns the entries that have a position, with their pin numbers starting at 1; equal positions share a pin.
  static func pins(of entries: [JournalEntry]) -> [(number: Int, entry: JournalID, at: Position)] {
    var numbers: [String: Int] = [:]
    return entries.compactMap { entry in
      guard let position = entry.position else { return nil }
      let spot = JournalText.degrees(position)
      let number = numbers[spot] ?? numbers.count + 1
      numbers[spot] = number
      return (number, entry.id, position)
    }
  }

  /// A policy that allows only files in the folder, and styles with known digests (CSP Level 3).
  private static func policy(_ map: String?) -> String {
    var styles = [style]
    for part in (map ?? "").split(separator: "<style>").dropFirst() {
      styles.append(String(part.prefix { $0 != "<" }))
    }
    let digests = styles.map { style in
      var hash = SHA256()
      hash.update(Array(style.utf8))
      return "'sha256-\(Data(hash.digest()).base64EncodedString())'"
    }
    return "default-src 'none'; img-src 'self' file:; media-src 'self' file:; "
      + "style-src \(digests.joined(separator: " ")); base-uri 'none'; form-action 'none'"
  }

  private static func article(
    _ entry: JournalEntry, _ number: Int?, _ names: JournalNames
  ) -> String {
    let badge = number.map { "<span class=\"pin\">\($0)</span> " } ?? ""
    let clock = names.local(entry)?.clock ?? ""
    var html = """
      <article class="\(entry.kind.rawValue)" id="\(entry.id)">
      <h3>\(badge)<time datetime="\(JournalMoment.text(entry.time))">\(clock)</time> \
      <span dir="auto">\(line(names.heading(of: entry)))</span></h3>
      <p class="facts">\(facts(entry, names))</p>

      """
    if let text = JournalText.body(of: entry) {
      let lines = PlainText.lines(text).map { line($0) }
      html += "<p class=\"text\" dir=\"auto\">\(lines.joined(separator: "\n"))</p>\n"
    }
    let photos = entry.photos.map { photo in
      "<a href=\"\(photo.path)\"><img src=\"\(photo.path)\" alt=\"\(line(names.heading(of: entry)))\""
        + " loading=\"lazy\"></a>"
    }
    if !photos.isEmpty { html += "<p class=\"photos\">\(photos.joined())</p>\n" }
    if case .note(let note) = entry.content, let voice = note.voice {
      html += "<audio controls preload=\"none\" src=\"\(voice.path)\"></audio>\n"
    }
    return html + "</article>\n"
  }

  private static func facts(_ entry: JournalEntry, _ names: JournalNames) -> String {
    var facts = [names.kind(of: entry)]
    if let place = names.subheading(of: entry) {
      facts.append("<span dir=\"auto\">\(line(place))</span>")
    }
    if let rating = entry.rating {
      let stars = JournalText.stars(rating)
      facts.append("<span role=\"img\" aria-label=\"\(rating) of 5 stars\">\(stars)</span>")
    }
    if case .question(let question) = entry.content, let email = question.email {
      facts.append("answer to \(line(email))")
    }
    if let position = entry.position { facts.append(JournalText.degrees(position)) }
    return facts.joined(separator: " · ")
  }

  private static func line(_ text: String) -> String {
    DrawingText.escaped(VisibleText.line(text))
  }

  private static let style = """

    :root { color-scheme: light dark; --ink: #1c2024; --pale: #5f6872; --sheet: #fff; --line: #d7dbe0; \
    --accent: #0b62c4; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --pale: #a2abb5; --sheet: #16181b; \
    --line: #343a41; --accent: #7db5ff; } }
    body { margin: 0; background: var(--sheet); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 50rem; margin: 0 auto; padding: 1rem; }
    h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
    h3 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
    h3 time { color: var(--pale); font-weight: normal; font-variant-numeric: tabular-nums; }
    article { border-top: 1px solid var(--line); padding: .8rem 0; break-inside: avoid; }
    article:target { outline: 2px solid var(--accent); outline-offset: .4rem; }
    p { margin: .3rem 0; } .facts { color: var(--pale); font-size: .9rem; overflow-wrap: anywhere; }
    .text { white-space: pre-wrap; overflow-wrap: anywhere; }
    .question .text { border-left: 3px solid var(--accent); padding-left: .8rem; }
    .pin { display: inline-block; min-width: 1.4em; padding: 0 .25em; border-radius: 1em; text-align: center; \
    font-size: .8rem; background: var(--accent); color: var(--sheet); }
    .photos { display: flex; flex-wrap: wrap; gap: .5rem; }
    .photos img { max-height: 14rem; max-width: 100%; border-radius: .4rem; display: block; }
    figure { margin: 1rem 0; overflow-x: auto; } figure svg { width: 100%; min-width: 38rem; height: auto; display: block; border-radius: .4rem; }
    audio { width: 100%; max-width: 24rem; }
    @media print { figure svg { min-width: 0; } main { max-width: none; } audio { display: none; } }

    """
}

extension Guide {
  /// The guide's building names and time zone, for journal exports.
  package var journalNames: JournalNames {
    let names = buildingNames
    return JournalNames(timeZone: timeZone ?? "UTC") { building(labeled: $0, by: names)?.title }
  }

  /// Returns a journal as an HTML page with the guide's map, on which the entries are numbered.
  public func page(of entries: [JournalEntry], title: String) -> String {
    JournalPage.html(
      of: entries, title: title, names: journalNames, map: map(of: entries))
  }

  private func map(of entries: [JournalEntry]) -> String {
    var drawing = MapDrawing(drawnGround, attribution: attribution)
    drawing.pins = JournalPage.mapPins(of: entries)
    return drawing.svg()
  }
}

extension JournalPage {
  /// Returns a journal as an HTML page whose map shows only the pin numbers. ``Guide`` has a method that adds a full
  /// map.
  package static func html(
    of entries: [JournalEntry], title: String, names: JournalNames = JournalNames()
  ) -> String {
    var drawing = MapDrawing(MapDrawing.Ground())
    drawing.pins = mapPins(of: entries)
    let map = drawing.pins.isEmpty ? nil : drawing.svg()
    return html(of: entries, title: title, names: names, map: map)
  }

  fileprivate static func mapPins(of entries: [JournalEntry]) -> [MapDrawing.Pin] {
    var last = 0
    return pins(of: entries).compactMap { pin in
      guard pin.number > last else { return nil }
      last = pin.number
      let point = RoutePoint(latitude: pin.at.latitude, longitude: pin.at.longitude)
      return MapDrawing.Pin(point, number: pin.number, link: "#\(pin.entry)")
    }
  }
}
