#if Serve
  import CupolaCampus
  import Testing

  @testable import CupolaServe

  @Suite("The page of cupola serve")
  struct LivePageTests {
    @Test("has words for every side of the fence")
    func fences() throws {
      let page = try #require(LivePage.response("/page.js"))
      let script = String(decoding: try page.bytes, as: UTF8.self)
      let line = try #require(script.split(separator: "\n").first { $0.hasPrefix("const fences") })
      for side in FenceSide.allCases { #expect(line.contains(" \(side.rawValue): ")) }
    }
  }
#endif
