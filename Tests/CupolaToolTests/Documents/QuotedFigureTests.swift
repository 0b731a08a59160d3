import CupolaTestSupport
import Foundation
import Testing

/// Figures that stand on several pages are those of the tables of Measurements.md and Scale.md.
@Suite("Quoted figures") struct QuotedFigureTests {
  /// A page with one blank wherever its text has any.
  private static func words(_ path: String) throws -> String {
    let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The cells of the first row of a page that begins with each of `beginnings`.
  private static func rows(
    _ beginnings: [String], of path: String = "Documentation/Measurements.md"
  ) throws -> [[String]] {
    let page = Repository.root.appending(path: path)
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    return beginnings.compactMap { beginning in
      lines.first { $0.hasPrefix("| " + beginning) }?.split(separator: "|").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  /// The number that a cell begins with.
  private static func number(_ cell: String) -> Double? {
    Double(cell.prefix { $0.isNumber || $0 == "." })
  }

  @Test("The means of the first table follow from the photos of its sets")
  func means() throws {
    let sets = try Self.rows(["vyronas: ", "notredame: ", "koe: ", "poznan: "])
    let told = try #require(try Self.rows(["mean of the sets"]).first)
    try #require(sets.count == 4 && sets.allSatisfy { $0.count == 6 } && told.count == 6)
    for column in 1..<6 {
      var sum = 0.0
      for row in sets {
        let photos = try #require(Self.number(String(row[0].split(separator: "(").last ?? "")))
        let percent = try #require(Self.number(row[column]))
        sum += (percent / 100 * photos).rounded() / photos
      }
      #expect(told[column] == "\((1000 * sum / 4).rounded() / 10) %")
    }
    #expect(try Self.words("README.md").contains("% beside its \(told[5]), means of"))
  }

  @Test("Other pages quote the second table")
  func quotes() throws {
    let sets = try Self.rows(["vyronas (", "notredame (", "koe (", "poznan ("])
    try #require(sets.count == 4 && sets.allSatisfy { $0.count == 7 })
    // Right, wrong, unsure and refused.
    let answers = sets.map { row in
      row[2].split(separator: ",").compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    }
    try #require(answers.allSatisfy { $0.count == 4 })
    let readme = try Self.words("README.md")
    let honest = try Self.words("Sources/Cupola/Cupola.docc/HonestAnswers.md")
    let campus = try Self.words(
      "Sources/CupolaTraining/CupolaTraining.docc/TrainingOnYourCampus.md")
    let lines = try Self.words("Sources/Cupola/Cupola.docc/Decisions/LineForNames.md")

    let leftOut = sets.compactMap { Self.number($0[6]) }.sorted()
    let least = try #require(leftOut.first)
    let most = try #require(leftOut.last)
    for page in [readme, honest, campus] {
      #expect(page.contains(" \(Int(least)) to \(Int(most)) %"))
    }
    for row in sets { #expect(honest.contains(row[4]), "calibration error of \(row[0])") }

    #expect(answers.reduce(0) { $0 + $1[1] } == 1)
    let names = answers.reduce(0) { $0 + $1[0] + $1[1] }
    #expect(lines.contains("one of \(names) names was wrong"))

    let december = answers[1]
    let top1 = try #require(Self.number(sets[1][1]))
    let silent = 100 * (december[2] + december[3]) / december.reduce(0, +)
    #expect(readme.contains("\(Int(top1)) % have the right building first, but \(silent) %"))
  }

  @Test("Other pages quote what training on many photos costs")
  func costs() throws {
    let articles = "Sources/CupolaTraining/CupolaTraining.docc/"
    let rows = try Self.rows(
      ["401, 40", "3,600, 240", "14,400, 960, softmax"], of: articles + "Scale.md")
    let seconds = rows.compactMap { $0.count > 1 ? Self.number($0[1]) : nil }
    try #require(seconds.count == 3)
    let times = seconds.map { ($0 / seconds[0] * 10).rounded() / 10 }
    let measured = try Self.words("Documentation/Measurements.md")
    #expect(measured.contains("3,600 photos of 240 buildings take \(times[1]) times"))
    #expect(measured.contains("14,400 of 960 take \(times[2]) times"))
    let (few, many) = (Int(seconds[0]), Int(seconds[1]))
    let gpu = try Self.words("Sources/Cupola/Cupola.docc/Decisions/NoGPU.md")
    #expect(gpu.contains("it was \(few) s in the run in which 3,600 of 240 took \(many) s"))
    let retrieval = try Self.words(articles + "RetrievalForMany.md")
    #expect(retrieval.contains("3,600 photos of 240 labels train in \(many) s"))
  }
}
