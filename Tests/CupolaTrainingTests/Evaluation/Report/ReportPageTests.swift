import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("The page of a report")
struct ReportPageTests {
  private static func html(_ evaluation: Evaluation, _ model: Model = ReportFixture.model())
    async throws -> String
  {
    try await ReportPage(
      ReportFixture.report(evaluation, model), of: Recognizer(model: model)
    ).html()
  }

  @Test("has a section for all that is known, and links to each")
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

  @Test("tells names by place only beside the others")
  func byPlace() async throws {
    let answers = ReportFixture.answers + [ReportFixture.placed("9.jpg")]
    let page = try await Self.html(ReportFixture.evaluation(answers))
    #expect(
      page.contains(
        "3 of 5 photos of known buildings get a name; 1 more by place only, 1 of these wrong"))
  }

  @Test("calls no error promised that is only asked for")
  func askedError() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    #expect(page.contains("No error of names can be promised"))
    #expect(page.contains("error asked for") && !page.contains("error promised"))
  }

  @Test("counts one photo as one")
  func onePhoto() async throws {
    let answers = [ReportFixture.chapel("1.jpg", "chapel", 0.9)]
    let page = try await Self.html(ReportFixture.evaluation(answers))
    #expect(page.contains("of 1 photo of known buildings gets a name"))
  }

  @Test("says by what photos of no buildings are told, also of a model without backgrounds")
  func rejectionScore() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    #expect(page.contains("No buildings are told by the odds against the backgrounds."))
    #expect(page.contains(" with 2 photos; ") && page.contains(" with 1 photo."))
    let answers = ReportFixture.answers.map { answer in
      var answer = answer
      answer.odds = nil
      return answer
    }
    let other = try await Self.html(ReportFixture.evaluation(answers))
    #expect(other.contains("No buildings are told by the probability of the best building"))
  }

  @Test("tells what leaks do, where there are any")
  func leaks() async throws {
    #expect(!(try await Self.html(ReportFixture.evaluation()).contains("without leaks")))
    var answers = ReportFixture.answers
    answers[0].facts.leak = .same
    answers[1].facts.leak = .crop
    let page = try await Self.html(ReportFixture.evaluation(answers))
    #expect(page.contains("without leaks") && page.contains("of the leaks"))
    #expect(
      page.contains(
        "1 of 7 photos trained the model, 0 more are copies and 1 crops of such photos."))
  }

  @Test("the check of the photos has its section, with gaps marked and hostile names as text")
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
    // Copies under two labels have to be looked at: both photos of each pair are shown.
    #expect(page.contains("copies") || page.contains("under another label"))
    let pictures = page.components(separatedBy: "alt=\"Photo &lt;b&gt;chapel/").count - 1
    #expect(pictures >= 4 && page.contains("alt=\"Photo tower/"))
    #expect(page.contains("Not known: the photos tell no place"))
    report.check = CheckReport(check, folder: "photos", leavingOut: [.noBackground])
    #expect(report.check?.findings.contains { $0.kind == .noBackground } == false)
    #expect(check.findings.contains { $0.kind == .noBackground })
  }

  @Test("coverage is a table of counts with the gaps marked, and shots stand below it")
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
    // No photo tells where it was taken: every side of both buildings is to be photographed.
    #expect(page.contains("What to photograph next") && page.contains("16 places"))
    let coverage = try ReportFixture.csv("coverage", of: report)
    #expect(coverage.rows.map { $0[0] } == ["chapel", "tower"])
    #expect(coverage.header.count == 16 && coverage.column("NE") == 2)
    #expect(try ReportFixture.csv("shots", of: report).rows.count == 16)
    let findings = try ReportFixture.csv("findings", of: report)
    #expect(findings.rows.count >= report.check?.findings.count ?? 0)
  }

  @Test("every confusion cell with photos leads to them")
  func cells() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    for cell in ["cell-1-1", "cell-1-2", "cell-2-1", "cell-2-2"] {
      #expect(page.contains("href=\"#\(cell)\"") && page.contains("id=\"\(cell)\""), "\(cell)")
    }
    #expect(page.contains("chapel taken for tower: 1 photo"))
    #expect(page.contains("2.jpg"))
  }

  @Test("asks for nothing, and runs one script, which is its own")
  func closed() async throws {
    let page = try await Self.html(ReportFixture.evaluation())
    #expect(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"))
    #expect(page.components(separatedBy: "<script").count == 2)
    #expect(page.contains("script-src '\(PageScript.digest)'"))
    #expect(page.contains("<script>\(PageScript.text)</script>"))
    #expect(PageScript.digest.wholeMatch(of: /sha256-[A-Za-z0-9+\/]{43}=/) != nil)
    for word in ["http:", "https:", "src=\"//", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
  }

  /// Names that try to leave their place: an element, an attribute, the style, the template.
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><svg onload=alert(1)>",
    "\"\u{301} onmouseover=\"alert(1)", "</title><script>", "{{{style}}}", "{{#cards}}",
    "</style><script>", "a\u{202E}b\nc\u{0}d", "-->", "&lt;b&gt;", "javascript:alert(1)",
  ]

  @Test("hostile names of labels, files, sessions, columns and buildings stay text")
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
    // The same page with harmless names has the same elements and attributes, and no others.
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

  /// The tags of a page with the names of their attributes, counted, as a browser would part them: by
  /// scalars, with quoted values skipped.
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

  @Test("is there also when nothing is known, or no photo could be read")
  func empty() async throws {
    for answers in [[], [ReportFixture.chapel("1.jpg", "_street", 0.4)]] {
      let page = try await Self.html(ReportFixture.evaluation(answers))
      #expect(page.contains("</html>") && !page.contains("id=\"confusion\""))
    }
  }

  @Test(
    "photos of mistakes come as small pictures without their file's place, and their drawings beside them"
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

  @Test("stays below 5 MB for a thousand photos")
  func size() async throws {
    let folder = try TemporaryFolder()
    var answers: [Evaluation.Answer] = []
    let path = try folder.write(
      try Pictures.jpeg(.noise, seed: 3, width: 500, height: 400), to: "p.jpg")
    for index in 0..<1000 {
      answers.append(
        ReportFixture.answer(
          "a folder with a long name/a photo with a long name \(index).jpg",
          index.isMultiple(of: 2) ? "chapel" : "tower",
          [("chapel", Double(index) / 1000), ("tower", 1 - Double(index) / 1000)], path: path))
    }
    let page = try await Self.html(ReportFixture.evaluation(answers))
    #expect(page.utf8.count > 1_000_000, "it has pictures")
    #expect(page.utf8.count < 5_000_000, "\(page.utf8.count) bytes")
  }
}
