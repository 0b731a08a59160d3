import CupolaSupport
import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Gallery of classified photos")
struct GalleryPageTests {
  private static func answer(
    _ verdict: Recognition.Verdict, _ candidates: [(String, Double)], _ reason: Recognition.Reason
  ) -> Recognition {
    let isNamed = [.building, .mappedBuilding].contains(verdict)
    return Recognition(
      verdict: verdict, reason: reason, label: isNamed ? candidates.first?.0 : nil, building: nil,
      probability: isNamed ? candidates.first?.1 : nil,
      candidates: candidates.map {
        Recognition.Candidate(label: $0, probability: $1, imageProbability: $1, logit: 0)
      }, odds: nil)
  }

  private static func named(_ label: String, _ other: String = "tower") -> Recognition {
    answer(.building, [(label, 0.9), (other, 0.1)], .recognized)
  }

  private static func page(
    _ answers: [(String, Result<Recognition, CupolaError>)]
  ) throws -> GalleryPage {
    var page = GalleryPage(model: "m.safetensors", campus: nil, count: answers.count)
    let photo = try PhotoDecoder().open(Pictures.jpeg(.rising, seed: 1, width: 400, height: 300))
    for (name, answer) in answers {
      page.add(GalleryPhoto(name, answer, picture: page.makePicture(photo), campus: nil))
    }
    return page
  }

  private static let answers: [(String, Result<Recognition, CupolaError>)] = [
    ("1.jpg", .success(named("chapel"))), ("2.jpg", .success(named("chapel"))),
    ("3.jpg", .success(named("barn"))),
    (
      "4.jpg",
      .success(
        answer(
          .unsure, [("tower", 0.5), ("barn", 0.4)], .tooClose(share: 0.5, needed: 0.6)))
    ),
    (
      "5.jpg",
      .success(answer(.notACampusBuilding, [("barn", 0.2)], .background(probability: 0.8)))
    ),
    ("6.jpg", .failure(.file(.notAFile(path: "6.jpg")))),
  ]

  @Test("Every photo is in the group of its answer, with an image and data for the filters")
  func groups() throws {
    let html = try Self.page(Self.answers).html()
    let headings = [
      "barn: 1 photo", "chapel: 2 photos", "Unsure: 1 photo", "Not a Campus Building: 1 photo",
      "Not readable: 1 photo",
    ]
    let places = headings.compactMap { html.firstRange(of: "<bdi>\($0)</bdi></h2>")?.lowerBound }
    #expect(places.count == headings.count && places == places.sorted())
    #expect(html.components(separatedBy: "<li data-verdict=").count == Self.answers.count + 1)
    #expect(html.components(separatedBy: "src=\"data:image/jpeg;base64,").count == 7)
    #expect(html.contains("data-verdict=\"named\" data-building=\"chapel\""))
    // A photo without a name is found by its first guess.
    #expect(html.contains("data-verdict=\"unsure\" data-building=\"tower\""))
    #expect(html.contains("data-verdict=\"rejected\" data-building=\"barn\""))
    #expect(html.contains("90.0%; otherwise tower 10.0%"))
    #expect(html.contains("Unsure: tower or barn"))
    #expect(html.contains("80.0% something else; most similar building: barn"))
    for option in ["named", "unsure", "rejected", "unreadable", "barn", "chapel", "tower"] {
      #expect(html.contains("<option value=\"\(option)\">"), "\(option)")
    }
    #expect(
      html.contains("6 photos: 3 named, 1 unsure, 1 not a campus building, 1 not readable."))
  }

  @Test("The page loads nothing and runs only its own script")
  func contentSecurity() throws {
    let html = try Self.page(Self.answers).html()
    #expect(html.components(separatedBy: "<script").count == 2)
    #expect(html.contains("script-src '\(PageScript.gallery.digest)'"))
    #expect(html.contains("<script>\(PageScript.gallery.text)</script>"))
    for word in ["http:", "https:", "src=\"//", "@import", "url("] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test("Hostile names stay text")
  func hostileNames() throws {
    func elements(_ names: [String]) throws -> Int {
      let answers = names.map {
        ($0 + ".jpg", Result<_, CupolaError>.success(Self.named($0, $0 + "2")))
      }
      return try Self.page(answers).html().components(separatedBy: "<").count
    }
    let hostile = ReportPageTests.hostile
    #expect(try elements(hostile) == elements(hostile.indices.map { "label\($0)" }))
  }

  @Test("The table has a row for each photo, and no formulas")
  func table() throws {
    var page = try Self.page(Self.answers)
    var odd = GalleryPhoto("=1+1, \"a\".jpg", .success(Self.named("chapel")), campus: nil)
    odd.copy = "chapel/a.jpg"
    page.add(odd)
    #expect(
      page.csv.hasPrefix(
        "photo,verdict,answer,label,probability,other_label,other_probability,copy,error\r\n"
          + "1.jpg,building,chapel,chapel,0.9,tower,0.1,,\r\n"))
    #expect(
      page.csv.hasSuffix(
        "\"'=1+1, \"\"a\"\".jpg\",building,chapel,chapel,0.9,tower,0.1,chapel/a.jpg,\r\n"))
    let table = try CSV(Array(page.csv.utf8))
    #expect(table.rows.count == 7)
    #expect(table.rows[5][0] == "6.jpg" && table.rows[5][1].isEmpty && !table.rows[5][8].isEmpty)
    #expect(
      GalleryPage.isTable(Array(page.csv.utf8)) && !GalleryPage.isTable(Array("path,label".utf8)))
  }

  @Test("The page and the table show one probability of a rejected photo")
  func shownProbability() throws {
    var rejected = Self.answer(
      .notACampusBuilding, [("barn", 0.8)], .unknownBuilding(probability: 0.5))
    rejected.familiarity = 0.5
    let page = try Self.page([("1.jpg", .success(rejected))])
    let html = try page.html()
    #expect(html.contains("50.0% something else; most similar building: barn"))
    #expect(!html.contains("80.0%"))
    #expect(page.csv.contains(",barn,,,\r\n"))
    rejected.place = .contradicts
    let placed = try Self.page([("1.jpg", .success(rejected))]).html()
    #expect(placed.contains("50.0% something else; without the position: barn (80.0%)"))
  }

  @Test("The page says once what to know about all answers")
  func note() throws {
    let page = GalleryPage(model: "m", campus: nil, note: "percentages are unreliable", count: 1)
    #expect(try page.html().contains(" Note: percentages are unreliable.</p>"))
  }

  @Test("A long gallery states its limit, and its table is complete")
  func limit() throws {
    var page = GalleryPage(model: "m", campus: nil, count: nil)
    let photo = GalleryPhoto("1.jpg", .success(Self.named("chapel")), campus: nil)
    for _ in 0...GalleryPage.mostPhotos { page.add(photo) }
    let html = try page.html()
    #expect(html.components(separatedBy: "<li data-verdict=").count == GalleryPage.mostPhotos + 1)
    #expect(html.contains("Only the first 5000 are shown; the CSV table lists all."))
    #expect(page.csv.components(separatedBy: "\r\n").count == GalleryPage.mostPhotos + 3)
  }
}
