import Foundation
import Testing

@testable import Cupola

@Suite("Orientation votes") struct OrientationVotesTests {
  static let orientations = [3, 4, 6, 8, 9, 12, 18]

  /// Gradients all around, none at the very edge of a bin.
  static let gradients: [(x: Float, y: Float)] = (0..<100).map {
    let (angle, length) = (Float($0) * 0.0637 + 0.01, 1 + Float($0 % 7) * 40)
    return (length * Foundation.cos(angle), length * Foundation.sin(angle))
  }

  /// The votes of the gradients for each bin.
  static func votes(_ orientations: Int, _ voting: HOG.Voting) -> [[Double]] {
    votes(gradients.map(\.x), gradients.map(\.y), orientations, voting)
  }

  static func votes(
    _ gx: [Float], _ gy: [Float], _ orientations: Int, _ voting: HOG.Voting
  ) -> [[Double]] {
    let all = [Float](repeating: 0, count: orientations * gx.count)
    let sums = add(gx, gy, of: orientations, voting, to: all, weight: 1).upper
    return (0..<orientations).map { bin in
      sums[bin * gx.count..<(bin + 1) * gx.count].map(Double.init)
    }
  }

  /// What becomes of sums; the rest of the weight goes to twice them.
  static func add(
    _ gx: [Float], _ gy: [Float], of orientations: Int, _ voting: HOG.Voting, to sums: [Float],
    weight: Float
  ) -> (upper: [Float], lower: [Float]) {
    var (upper, lower) = (sums, sums.map { 2 * $0 })
    OrientationVotes.add(
      x: gx, y: gy, voters: Voters(orientations: orientations), voting: voting,
      weights: .init(upper: weight, lower: 1 - weight), upper: &upper, lower: &lower)
    return (upper, lower)
  }

  /// The gradient's direction in bins from the first bin's edge, 0..<orientations.
  static func place(_ gradient: (x: Float, y: Float), _ orientations: Int) -> Double {
    let angle = atan2(Double(gradient.y), Double(gradient.x))
    return (angle < 0 ? angle + .pi : angle) / .pi * Double(orientations)
  }

  @Test("Linear votes follow the law of sines", arguments: orientations)
  func linear(orientations: Int) {
    let votes = Self.votes(orientations, .linear)
    let width = Double.pi / Double(orientations)
    for (index, gradient) in Self.gradients.enumerated() {
      let place = Self.place(gradient, orientations) - 0.5
      let lower = place.rounded(.down)
      let length = hypot(Double(gradient.x), Double(gradient.y))
      var expected = [Double](repeating: 0, count: orientations)
      let first = (Int(lower) + orientations) % orientations
      expected[first] = length * sin((lower + 1 - place) * width) / sin(width)
      expected[(first + 1) % orientations] = length * sin((place - lower) * width) / sin(width)
      for bin in 0..<orientations {
        #expect(abs(votes[bin][index] - expected[bin]) < 1e-6 * length + 1e-4)
      }
    }
  }

  @Test("Linear votes sum to the length, or a little more between bins", arguments: orientations)
  func sums(orientations: Int) {
    let votes = Self.votes(orientations, .linear)
    let most = 1 / cos(Double.pi / Double(orientations) / 2)
    for (index, gradient) in Self.gradients.enumerated() {
      let length = hypot(Double(gradient.x), Double(gradient.y))
      let sum = votes.reduce(0) { $0 + $1[index] }
      #expect(sum > length * 0.999_99 && sum < length * most * 1.000_01)
    }
  }

  @Test("Linear votes along the bins' directions make the gradient up", arguments: orientations)
  func reconstruction(orientations: Int) {
    let votes = Self.votes(orientations, .linear)
    for (index, gradient) in Self.gradients.enumerated() {
      var (x, y) = (0.0, 0.0)
      // Across 180 degrees the first bin's direction is the opposite of the one after the last.
      let wraps = votes[0][index] > 0 && votes[orientations - 1][index] > 0
      for bin in 0..<orientations {
        let angle = (Double(bin) + 0.5) * .pi / Double(orientations)
        let sign: Double = wraps && bin == 0 ? -1 : 1
        x += sign * votes[bin][index] * cos(angle)
        y += sign * votes[bin][index] * sin(angle)
      }
      let sign: Double = x * Double(gradient.x) + y * Double(gradient.y) < 0 ? -1 : 1
      let error = hypot(sign * x - Double(gradient.x), sign * y - Double(gradient.y))
      #expect(error < 1e-5 * hypot(x, y))
    }
  }

  @Test("The nearest bin gets the whole length, the others nothing", arguments: orientations)
  func nearest(orientations: Int) {
    let votes = Self.votes(orientations, .nearest)
    for (index, gradient) in Self.gradients.enumerated() {
      let nearest = Int(Self.place(gradient, orientations))
      let length = hypot(Double(gradient.x), Double(gradient.y))
      for bin in 0..<orientations {
        #expect(abs(votes[bin][index] - (bin == nearest ? length : 0)) < 1e-6 * length)
      }
    }
  }

  @Test("Opposite gradients vote alike", arguments: [HOG.Voting.linear, .nearest])
  func opposite(voting: HOG.Voting) {
    let (gx, gy) = (Self.gradients.map(\.x), Self.gradients.map(\.y))
    #expect(Self.votes(gx, gy, 9, voting) == Self.votes(gx.map(-), gy.map(-), 9, voting))
  }

  @Test(
    "Votes are added to what is there, with each row's weight",
    arguments: [HOG.Voting.linear, .nearest])
  func weights(voting: HOG.Voting) {
    // 70 degrees is the center of bin 3 of 9.
    let angle = 70 * Float.pi / 180
    let (upper, lower) = Self.add(
      [8 * Foundation.cos(angle)], [8 * Foundation.sin(angle)], of: 9, voting,
      to: [Float](repeating: 100, count: 9), weight: 0.25)
    for bin in 0..<9 {
      #expect(abs(upper[bin] - (bin == 3 ? 102 : 100)) < 1e-4)
      #expect(abs(lower[bin] - (bin == 3 ? 206 : 200)) < 1e-4)
    }
  }

  @Test("No gradient, no vote", arguments: [HOG.Voting.linear, .nearest])
  func zero(voting: HOG.Voting) {
    #expect(Self.votes([0, 0], [0, 0], 9, voting) == [[Double]](repeating: [0, 0], count: 9))
  }
}
