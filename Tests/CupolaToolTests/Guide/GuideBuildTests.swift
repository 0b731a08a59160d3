import CupolaTestSupport
import Testing

@Suite("cupola guide build") struct GuideBuildTests {
  @Test("Warns of an answer of Overpass that was given up before it was whole")
  func notWhole() throws {
    let folder = try TemporaryFolder()
    let nodes =
      #"{"type":"node","id":1,"lat":48,"lon":11},{"type":"node","id":2,"lat":48.001,"lon":11}"#
    let way = #"{"type":"way","id":1,"nodes":[1,2],"tags":{"highway":"footway"}}"#
    for (remark, warning) in [
      ("", ""),
      (
        #","remark":"runtime error: out of memory""#,
        "warning: map.json: the answer is not whole: runtime error: out of memory; "
      ),
    ] {
      try folder.write(#"{"version":0.6,"elements":[\#(nodes),\#(way)]\#(remark)}"#, to: "map.json")
      let output = try Tool.run(["guide", "build", "map.json", "-o", "map.guide"], in: folder)
      expectSuccess(output)
      #expect(output.stderr.isEmpty == warning.isEmpty && output.stderr.hasPrefix(warning))
      let check = try Tool.run(["guide", "check", "map.json", "--json"], in: folder)
      #expect(check.status == (warning.isEmpty ? 0 : 65))
      #expect(check.stdout.contains(#""incomplete""#) == !warning.isEmpty)
    }
  }
}
