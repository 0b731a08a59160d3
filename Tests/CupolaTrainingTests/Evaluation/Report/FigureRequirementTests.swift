import CupolaTestSupport
import CupolaTraining
import Foundation
import Testing

@Suite("Figure requirements") struct FigureRequirementTests {
  @Test("Formats.md names the figures that must be at most their value, and no others")
  func atMost() throws {
    let page = Repository.root.appending(path: "Documentation/Formats.md")
    let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("`--require FIGURE=VALUE`") })
    let list = line.drop { $0 != "(" }.prefix { $0 != ":" }
    let told = list.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { String($0) }
    let wanted = FigureRequirement.names.filter { name in
      !name.hasSuffix("_lower") && FigureRequirement("\(name)=0.5")?.bound == .atMost
    }
    #expect(Set(told) == Set(wanted))
  }

  @Test("a figure that is missed by little is told with digits that show it")
  func digits() throws {
    let report = ReportFixture.report(
      ReportFixture.evaluation([ReportFixture.chapel("1.jpg", "chapel", 0.131)]))
    for (wish, failure) in [
      ("brier=1.5103", "brier must be at most 1.5103, but it is 1.51032"),
      ("brier=1.5", "brier must be at most 1.5, but it is 1.5103"),
    ] {
      #expect(try #require(FigureRequirement(wish)).failure(in: report) == failure)
    }
  }
}
