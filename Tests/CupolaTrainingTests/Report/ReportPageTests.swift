import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Report page")
struct ReportPageTests {
  private static func html(_ evaluation: Evaluation, _ model: Model = ReportFixture.model())
    async throws -> String
  {
    try await ReportPage(
      ReportFixture.report(evaluation, model), of: Recognizer(model: model)
    ).html()
  }

  @Test("The page has linked sections")
  func sections() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    for id in [
      "headline", "answers", "confusion", "buildings", "mistakes", "measured", "calibration",
      "rejection",
      "slices", "latency", "card",
    ] {
      #expect(page.contains("<h2 id=\"\(id)\">"), "\(id)")
      #expect(page.contains("<a href=\"#\(id)\">"), "\(id)")
    }
    #expect(!page.contains("id=\"learning\"") && !page.contains("id=\"compare\""))
    #expect(page.hasPrefix("<!doctype html>") || page.hasPrefix("\n<!doctype html>"))
  }

  @Test("The page explains leaks if there are any")
  func leaks() async throws {
    #expect(!(try await Self.html(ReportFixture.evaluation()).contains("without leaks")))
    var answers = ReportFixture.answers
    answers[0].facts.leak = .same
    answers[1].facts.leak = .crop
    let page = try await Self.html(ReportFixture.evaluation(answers))
    #expect(page.contains("without leaks") && page.contains("leaks only"))
    #expect(
      page.contains(
        "the model was trained on 1 of 7 photos, on copies of 0 more and on crops of 1."))
  }

  @Test("The photo check has a section that escapes hostile names")
  func photos() async throws {
    let evaluation = ReportFixture.evaluation()
    let folder = try TemporaryFolder()
    for kind in 0..<4 {
      let bytes = try Pictures.jpeg(.rising, seed: UInt64(kind), width: 300, height: 240)
      try folder.write(bytes, to: "<b>chapel/\(kind).jpg")
      try folder.write(bytes, to: "tower/\(kind).jpg")
    }
    try folder.write("none", to: "tower/<i>.jpg")
    let check = try await DatasetCheck(
      of: PhotoSet(root: folder.path), decoder: PhotoDecoder(), threads: 1)
    var report = ReportFixture.report(evaluation)
    report.check = CheckReport(check, folder: "photos")
    let page = try await ReportPage(
      report, of: Recognizer(model: ReportFixture.model())
    ).html()
    #expect(page.contains("<h2 id=\"photos\">") && page.contains("<a href=\"#photos\">"))
    for text in ["badge error", "badge warning", "badge advice", "tower/&lt;i&gt;.jpg"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(!page.contains("<b>chapel") && !page.contains("<i>.jpg"))
    // Copies under two labels are shown with both photos.
    #expect(page.contains("copies") || page.contains("under another label"))
    let pictures = page.components(separatedBy: "alt=\"Photo &lt;b&gt;chapel/").count - 1
    #expect(pictures >= 4 && page.contains("alt=\"Photo tower/"))
    #expect(page.contains("Not available: the photos have no position"))
    #expect(!page.contains("cupola check --negatives includes them"))
    report.check = CheckReport(check, folder: "photos", leavingOut: [.noBackground])
    let part = try await ReportPage(
      report, of: Recognizer(model: ReportFixture.model())
    ).html()
    #expect(part.contains("cupola check --negatives includes them"))
    #expect(report.check?.findings.contains { $0.kind == .noBackground } == false)
    #expect(check.findings.contains { $0.kind == .noBackground })
  }

  @Test("Coverage and suggested shots are tables")
  func coverage() async throws {
    let map = try Campus(geoJSON: try Self.map(["chapel", "tower"]))
    let folder = try TemporaryFolder()
    for name in ["chapel", "tower"] {
      for number in 1...2 {
        let bytes = try Pictures.jpeg(.rising, seed: UInt64(number), width: 300, height: 240)
        try folder.write(bytes, to: "\(name)/\(number).jpg")
      }
    }
    let check = try await DatasetCheck(
      of: PhotoSet(root: folder.path), campus: map, decoder: PhotoDecoder(), threads: 1)
    let evaluation = ReportFixture.evaluation()
    var report = ReportFixture.report(evaluation)
    report.check = CheckReport(check, folder: "photos")
    let page = try await ReportPage(
      report, of: Recognizer(model: ReportFixture.model())
    ).html()
    // If there are no positions, every side of both buildings is suggested.
    #expect(page.contains("What to photograph next") && page.contains("16 places"))
    let coverage = try ReportFixture.csv("coverage", of: report)
    #expect(coverage.rows.map { $0[0] } == ["chapel", "tower"])
    #expect(coverage.header.count == 17 && coverage.column("NE") == 2)
    #expect(try ReportFixture.csv("shots", of: report).rows.count == 16)
    let findings = try ReportFixture.csv("findings", of: report)
    #expect(findings.rows.count >= report.check?.findings.count ?? 0)
  }

  @Test("Every confusion cell with photos links to them")
  func cells() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    for cell in [
      "cell-1-1", "cell-1-2", "cell-2-unsure", "cell-2-2", "cell-unknown-1", "cell-other-1",
      "cell-other-rejected",
    ] {
      #expect(page.contains("href=\"#\(cell)\"") && page.contains("id=\"\(cell)\""), "\(cell)")
    }
    #expect(page.contains("chapel mistaken for tower: 1 photo"))
    #expect(page.contains("Unknown building mistaken for chapel: 1 photo"))
    #expect(page.contains("Non-building photo, rejected: 1 photo"))
    #expect(page.contains("2.jpg"))
  }

  @Test("Rejected and unsure photos have a gallery and do not count as right")
  func unnamed() async throws {
    let answers =
      [ReportFixture.chapel("a.jpg", "chapel", 0.9)]
      + (0..<3).map {
        ReportFixture.chapel("r\($0).jpg", "chapel", 0.9, verdict: .notACampusBuilding)
      } + [ReportFixture.chapel("u.jpg", "chapel", 0.9, verdict: .unsure)]
    let page = try await Self.html(ReportFixture.evaluation(answers))
    #expect(page.contains("<h2 id=\"unnamed\">"))
    #expect(page.contains("class=\"panel open\" id=\"cell-1-rejected\""))
    #expect(page.contains("chapel, rejected: 3 photos") && page.contains("chapel, unsure: 1 photo"))
    #expect(page.contains("chapel, recognized: 1 photo"))
    // One of five photos got the right name, although all first guesses are right.
    #expect(page.contains("<td class=\"sum\">1 of 5</td>"))
    #expect(page.contains("Buildings without test photos: tower."))
    let named = try await Self.html(ReportFixture.evaluation(Array(answers.prefix(1))))
    #expect(!named.contains("id=\"unnamed\""))
  }

  @Test(
    "Tiles, verdict, text, table of answers and mix-ups count every photo once and in the same way")
  func sums() async throws {
    func photo(_ name: String, _ label: String, _ verdict: Recognition.Verdict) -> Evaluation.Answer
    {
      ReportFixture.chapel(name, label, 0.9, verdict: verdict)
    }
    let known =
      (0..<5).map { photo("k\($0)", "chapel", .building) } + [photo("w", "tower", .building)]
      + [ReportFixture.placed("p"), photo("u", "chapel", .unsure)]
      + [photo("r", "chapel", .notACampusBuilding), photo("o", "tower", .notOnCampus)]
    let street = [.building, .unsure, .notACampusBuilding, .notACampusBuilding, .notOnCampus]
      .enumerated()
      .map { photo("s\($0)", "_street", $1) }
    let barn = [.building, .mappedBuilding, .notACampusBuilding].enumerated()
      .map { ReportFixture.chapel("b\($0)", "barn", 0.9, split: .testUnknown, verdict: $1) }
    let evaluation = ReportFixture.evaluation(known + street + barn)
    let page = try await Self.html(evaluation)
    let tiles = page.matches(of: /<dt>([^<]+)<\/dt><dd><span class="figure">(\d+) of (\d+)</)
      .map { (String($0.1), Int($0.2), Int($0.3)) }
    #expect(
      tiles.map(\.0) == [
        "Named correctly", "Named wrongly", "Not named", "First guess right",
        "Non-building photos named", "Unknown buildings named",
      ])
    #expect(tiles.map(\.1) == [5, 2, 3, 8, 1, 1] && tiles.map(\.2) == [10, 10, 10, 10, 5, 3])
    let report = ReportFixture.report(evaluation)
    #expect(EvaluationSummary(report).sentence.contains("5 of 10 test photos got the right name"))
    // In the table, the counts of each row add up to its photos.
    let table = report.answersByKind.rows.map { row in row.dropFirst().map { Int($0.text) ?? 0 } }
    #expect(table == [[10, 5, 1, 2, 2, 0], [5, 3, 1, 0, 1, 0], [3, 1, 0, 0, 1, 1]])
    #expect(table.allSatisfy { $0[0] == $0.dropFirst().reduce(0, +) })
    let text = EvaluationText(report, width: 200).brief
    #expect(
      text.contains("10 test photos of 2 buildings: 5 right, 2 wrong, 1 unsure, 2 rejected; 1"))
    #expect(text.contains("5 photos: 3 rejected (right), 1 named, 1 unsure"))
    #expect(text.contains("3 photos: 1 rejected (right), 1 named, 0 unsure, 1 named from the pos"))
    // The rows of mix-ups have the same right answers: 5 + 0 of the buildings, 3 and 1 of the others.
    let sums = page.matches(of: /<td class="sum">(\d+) of (\d+)</).map { [Int($0.1), Int($0.2)] }
    #expect(sums == [[5, 8], [0, 2], [1, 3], [3, 5]])
    let links = page.matches(of: /<td class="h\d+[^"]*"><a [^>]*>(\d+)</).compactMap { Int($0.1) }
    #expect(links.reduce(0, +) == evaluation.all.count)
    let bars = page.matches(of: #/<title>[a-z -]*(?:photos|buildings): (\d+) /#)
      .compactMap { Int($0.1) }
    #expect(bars.reduce(0, +) == evaluation.all.count)
  }

  @Test("Captions are the answers of cupola classify")
  func captions() async throws {
    var answer = ReportFixture.chapel("n.jpg", "chapel", 0.4, verdict: .notACampusBuilding)
    answer.facts.answer = "Not a Campus Building (45.2% something else)"
    let page = try await Self.html(ReportFixture.evaluation([answer]))
    // Both in the mistakes and among the photos without a name.
    #expect(page.ranges(of: ">Not a Campus Building (45.2% something else)").count == 2)
    #expect(!page.contains("odds of a building") && !page.contains("image alone:"))
  }

  @Test("The learning curve is interpreted")
  func learning() async throws {
    func intro(_ right: [Int]) async throws -> Substring? {
      var report = ReportFixture.report(ReportFixture.evaluation())
      report.learningCurve = zip([1, 2, 5, 10], right).map {
        LearningCurve.Point(photosPerBuilding: $0, named: Share(right: $1, of: 100))
      }
      let html = try await ReportPage(report, of: Recognizer(model: ReportFixture.model())).html()
      #expect(right.isEmpty || html.contains("so no building has more than 10 photos here."))
      return html.split(separator: "Would more photos help?</h2>").last?
        .firstMatch(of: /<p>([^<]*)</)?.1
    }
    #expect(
      try await intro([50, 60, 70, 80])
        == "Perhaps: 70.0% with at most 5 photos per building, 80.0% with at most 10.")
    #expect(try await intro([50, 60, 70, 90])?.hasPrefix("Probably: 70.0% with") == true)
    let points = zip([1, 5, 8, 10], [50, 70, 80, 80]).map {
      LearningCurve.Point(photosPerBuilding: $0, named: Share(right: $1, of: 100))
    }
    #expect(
      ReportPage.answer(points)
        == "Probably not more of the same kind: 80.0% with at most 8 photos per building, and no more with 10. Photos "
        + "from other days and sides may help.")
    let similar = "Unclear: "
    #expect(try await intro([50, 60, 80, 80])?.hasPrefix(similar) == true)
    #expect(try await intro([50, 60, 80, 70])?.hasPrefix(similar) == true)
    #expect(try await intro([50, 60, 80, 100])?.hasPrefix("Probably not: all first") == true)
    #expect(try await intro([])?.hasPrefix("Not measured: ") == true)
  }

  @Test("The score behind each AUROC is stated")
  func rejectionScores() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    #expect(
      page.contains(
        "The score for unknown buildings is the largest logit; the AUROC of the final answers is "))
  }

  @Test("Mistakes come first, statistics are folded, and the command is last")
  func order() async throws {
    let model = ReportFixture.model()
    var page = ReportPage(
      ReportFixture.report(ReportFixture.evaluation(), model), of: Recognizer(model: model))
    page.origin = ReportOrigin(
      date: nil, command: ["cupola", "evaluate"], photos: "photos", modelDigest: "00ff")
    let html = try await page.html()
    let marks = [
      "id=\"headline\"", "id=\"mistakes\"", "id=\"confusion\"", "id=\"buildings\"",
      "<details class=\"statistics\"", "id=\"measured\"", "id=\"card\"", "<footer>",
      "cupola evaluate</bdi>",
    ]
    let places = marks.compactMap { html.firstRange(of: $0)?.lowerBound }
    #expect(places.count == marks.count && places == places.sorted())
  }

  @Test("The page loads nothing and runs only its own script")
  func contentSecurity() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    #expect(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"))
    #expect(page.components(separatedBy: "<script").count == 2)
    #expect(page.contains("script-src '\(PageScript.report.digest)'"))
    #expect(page.contains("<script>\(PageScript.report.text)</script>"))
    #expect(PageScript.report.digest.wholeMatch(of: /sha256-[A-Za-z0-9+\/]{43}=/) != nil)
    for word in ["http:", "https:", "src=\"//", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  /// Names that try to escape from elements, attributes, styles or templates.
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>",
    "\"\u{301} onmouseover=\"alert(1)", "</title><script>", "{{{style}}}", "{{#cards}}",
    "</style><script>", "a\u{202E}b\nc\u{0}d", "-->", "&lt;b&gt;", "javascript:alert(1)",
  ]

  @Test("Hostile names stay text")
  func hostileNames() async throws {
    let labels = Self.hostile
    let campus = try Campus(geoJSON: try Self.map(labels))
    let model = ReportFixture.model(["_street"] + labels, campus: campus)
    var answers = labels.enumerated().map { index, label in
      let other = labels[(index + 1) % labels.count]
      return ReportFixture.answer(
        label + ".jpg", label, [(label, 0.3), (other, 0.6)], group: label,
        attributes: [label: index.isMultiple(of: 2) ? label : "x"])
    }
    for index in answers.indices {
      answers[index].facts.position = Position(latitude: 48.001, longitude: 10.001)
      answers[index].facts.heading = Heading(degrees: 20)
      answers[index].facts.isPlaced = true
    }
    let evaluation = Evaluation(
      model: model, answers: answers,
      errors: labels.map { SkippedFile(name: $0, reason: .nameNotUTF8) })
    let page = try await Self.html(evaluation, model)
    // A page with harmless names has the same elements and attributes.
    let plain = labels.indices.map { "label\($0)" }
    let plainModel = ReportFixture.model(
      ["_street"] + plain, campus: try Campus(geoJSON: try Self.map(plain)))
    var plainAnswers = plain.enumerated().map { index, label in
      ReportFixture.answer(
        label + ".jpg", label, [(label, 0.3), (plain[(index + 1) % plain.count], 0.6)],
        group: label, attributes: [label: index.isMultiple(of: 2) ? label : "x"])
    }
    for index in plainAnswers.indices { plainAnswers[index].facts = answers[index].facts }
    let plainPage = try await Self.html(
      Evaluation(
        model: plainModel, answers: plainAnswers,
        errors: plain.map { SkippedFile(name: $0, reason: .nameNotUTF8) }), plainModel)
    #expect(Self.skeleton(page) == Self.skeleton(plainPage))
    #expect(!page.unicodeScalars.contains("\u{202E}") && !page.unicodeScalars.contains("\u{0}"))
  }

  /// Counts the tags of a page with their attributes, skipping quoted values.
  private static func skeleton(_ page: String) -> [String: Int] {
    var tags: [String: Int] = [:]
    var tag: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    for scalar in page.unicodeScalars {
      if let open = quote {
        if scalar == open { quote = nil }
      } else if tag != nil {
        if scalar == ">" {
          tags[String(tag ?? .init()), default: 0] += 1
          tag = nil
        } else if scalar == "\"" || scalar == "'" {
          quote = scalar
        } else {
          tag?.append(scalar)
        }
      } else if scalar == "<" {
        tag = .init()
      }
    }
    return tags
  }

  private static func map(_ labels: [String]) throws -> [UInt8] {
    let fence: [String: Any] = [
      "type": "Feature", "properties": ["role": "boundary"],
      "geometry": [
        "type": "Polygon",
        "coordinates": [[[10, 48], [10.02, 48], [10.02, 48.01], [10, 48.01], [10, 48]]],
      ] as [String: Any],
    ]
    let buildings: [[String: Any]] = labels.enumerated().map { index, label in
      [
        "type": "Feature", "properties": ["role": "building", "label": label, "name": label],
        "geometry": ["type": "Point", "coordinates": [10.001 + Double(index) / 1e4, 48.001]]
          as [String: Any],
      ]
    }
    let map: [String: Any] = ["type": "FeatureCollection", "features": [fence] + buildings]
    return Array(try JSONSerialization.data(withJSONObject: map))
  }

  @Test("An evaluation without answers has a page")
  func empty() async throws {
    for answers in [[], [ReportFixture.chapel("1.jpg", "_street", 0.4)]] {
      let page = try await Self.html(ReportFixture.evaluation(answers))
      #expect(page.contains("</html>") && !page.contains("id=\"confusion\""))
    }
  }

  @Test(
    "Mistakes have small photos without metadata and overlays"
  )
  func pictures() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      try Pictures.jpeg(.rising, seed: 1, width: 900, height: 700), to: "p.jpg")
    let answer = ReportFixture.answer(
      "p.jpg", "tower", [("chapel", 0.9), ("tower", 0.1)], path: path)
    let evaluation = ReportFixture.evaluation([answer])
    var page = ReportPage(
      ReportFixture.report(evaluation), of: Recognizer(model: ReportFixture.model()))
    let drawn = try Pictures.flat(gray: 90)
    page.pictures.overlay = { _, _ in ReportPictures.Drawing(jpeg: drawn, caption: "Looked <here>")
    }
    let html = try await page.html()
    #expect(html.components(separatedBy: "data:image/jpeg;base64,").count == 4)
    #expect(
      html.contains("width=\"360\" height=\"280\"") && html.contains("width=\"152\" height=\"118\"")
    )
    #expect(html.contains("Looked &lt;here&gt;") && html.contains("width=\"64\" height=\"64\""))
  }

  @Test("A page with many photos is smaller than 5 MB")
  func size() async throws {
    let folder = try TemporaryFolder()
    var answers: [Evaluation.Answer] = []
    let path = try folder.write(
      try Pictures.jpeg(.noise, seed: 3, width: 500, height: 400), to: "p.jpg")
    // There are more photos than fit on the page.
    for index in 0..<400 {
      answers.append(
        ReportFixture.answer(
          "a folder with a long name/a photo with a long name \(index).jpg",
          index.isMultiple(of: 2) ? "chapel" : "tower",
          [("chapel", Double(index) / 400), ("tower", 1 - Double(index) / 400)], path: path))
    }
    let page = try await Self.html(ReportFixture.evaluation(answers))
    #expect(page.utf8.count > 1_000_000, "the page has photos")
    #expect(page.utf8.count < 5_000_000, "\(page.utf8.count) bytes")
  }
}

@Suite("HTML escaping")
struct HTMLEscapingTests {
  @Test(
    "Special characters are escaped",
    arguments: [
      ("<b>", "&lt;b&gt;"), ("a & b", "a &amp; b"), ("\"'`", "&quot;&#39;&#96;"),
      ("plain", "plain"),
      ("Zürich 図書館", "Zürich 図書館"), ("a\u{0}b\u{1B}c", "a\u{FFFD}b\u{FFFD}c"),
      ("\u{202E}gpj.exe", "\u{FFFD}gpj.exe"), ("a\u{FFFE}b\u{FFFF}", "a\u{FFFD}b\u{FFFD}"),
    ])
  func escaped(text: String, expected: String) {
    #expect(HTMLEscaping.escaped(text) == expected)
  }

  @Test(
    "Special characters with a combining accent are escaped",
    arguments: [
      "\"", "<", ">", "&", "'",
    ])
  func accented(sign: String) {
    for accent in ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}"] {
      let escaped = HTMLEscaping.escaped(sign + accent)
      #expect(
        !escaped.dropFirst().unicodeScalars.contains { sign.unicodeScalars.contains($0) }
          || sign == "&")
      #expect(escaped.unicodeScalars.first == "&")
      #expect(escaped.unicodeScalars.contains(";"))
    }
  }

  @Test("Unescaping restores the text")
  func meaning() throws {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("<>&\"'`abc é\u{301}\u{1F3DB}".unicodeScalars)
    for _ in 0..<200 {
      let scalars = (0..<12).compactMap { _ in alphabet.randomElement(using: &generator) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      var read = HTMLEscaping.escaped(String(text))
      let names = [
        ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#96;", "`"),
        ("&amp;", "&"),
      ]
      for (name, sign) in names {
        read = read.replacingOccurrences(of: name, with: sign, options: .literal)
      }
      #expect(Array(read.unicodeScalars) == scalars)
    }
  }
}
