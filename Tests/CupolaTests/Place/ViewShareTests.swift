import Testing

@testable import Cupola

@Suite("ViewShare") struct ViewShareTests {
  @Test("More of the view speaks for a building, none of it against one")
  func order() {
    let shares = [0, 0.02, 0.1, 0.5, 1].map {
      ViewShare.logRatio($0, positionError: 10, hasHeading: true)
    }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
    #expect(shares[0] > -1.8 && shares[2].magnitude < 1e-9 && shares[4] < 2.2)
  }

  @Test("Without a heading it says less, and with a far too large error nothing")
  func doubt() {
    let known = ViewShare.logRatio(0.6, positionError: 10, hasHeading: true)
    #expect(ViewShare.logRatio(0.6, positionError: 10, hasHeading: false) < known / 3)
    #expect(ViewShare.logRatio(0.6, positionError: 1e6, hasHeading: true) < 1e-9)
  }
}
