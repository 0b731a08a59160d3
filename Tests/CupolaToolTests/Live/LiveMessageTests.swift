#if Serve
  import CupolaCampus
  import Testing

  @testable import CupolaServe

  @Suite("What a page says")
  struct LiveMessageTests {
    @Test("of its heading, from which north it counts")
    func headings() {
      for (field, reference) in [
        ("", Heading.Reference.trueNorth), (#","reference":"true""#, .trueNorth),
        (#","reference":"magnetic""#, .magneticNorth),
      ] {
        let text = #"{"type":"place","latitude":48,"longitude":11,"heading":-90"# + field + "}"
        guard case .place(let position, let heading) = LiveMessage(Array(text.utf8)) else {
          Issue.record("\(text) is not read")
          continue
        }
        #expect(position?.latitude == 48)
        #expect(heading == Heading(degrees: 270, reference: reference))
      }
      #expect(LiveMessage(Array(#"{"type":"place","heading":1,"reference":"up"}"#.utf8)) == nil)
    }
  }
#endif
