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
}
