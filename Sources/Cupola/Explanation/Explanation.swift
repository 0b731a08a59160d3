/// Why the picture alone speaks for one label rather than another.
///
/// The values of ``map`` and ``biasDifference`` sum to ``logitDifference``, but for rounding. They say how the
/// classifier came to it: softmax is linear in what it sees, and retrieval so near the picture.
public struct Explanation: Equatable, Sendable {
  /// The label that is explained.
  public let label: String
  /// The label that it is compared with.
  public let against: String
  /// How probable the label is by the picture alone, 0...1, as ``Recognition/Candidate/imageProbability``
  /// tells it.
  public let probability: Double
  /// How probable the other is, likewise.
  public let againstProbability: Double
  /// The logit of the label minus that of the other.
  public let logitDifference: Double
  /// The part of that which no place in the picture has, in logits.
  public let biasDifference: Double
  /// The part of each place in the picture, over ``region``.
  public let map: EvidenceMap
  /// Which part of the upright photo was looked at.
  public let region: Extent
  /// What each cell of the map shows, row-major.
  public let areas: [PictureArea]
  /// The histograms of oriented gradients that the `hog` features come from; else `nil`.
  package let cells: CellGrid?
  /// The training photo of ``label`` that the picture resembles most; `nil` where none are remembered.
  public let match: Match?

  /// A training photo that a retrieval classifier remembers.
  public struct Match: Equatable, Sendable {
    /// The first 16 hexadecimal digits of the SHA-256 of its file.
    public let digest: String
    /// The cosine of its vector and the picture's, -1...1 but for what the codes lose.
    public let cosine: Double
  }

  /// The part of all evidence, whichever label it speaks for, in an area, 0...1; `nil` when there is no evidence.
  public func share(of area: PictureArea) -> Double? {
    let all = map.magnitude
    guard all > 0 else { return nil }
    return zip(map.values, areas).reduce(0) { $1.1 == area ? $0 + $1.0.magnitude : $0 } / all
  }

  /// The part of the picture that an area takes up, 0...1.
  public func extent(of area: PictureArea) -> Double {
    Double(areas.count { $0 == area }) / Double(areas.count)
  }

  /// What speaks for the label, in logits, 0 or more.
  public var evidenceFor: Double { map.values.reduce(0) { $0 + max($1, 0) } }

  /// What speaks for the other, in logits, 0 or less.
  public var evidenceAgainst: Double { map.values.reduce(0) { $0 + min($1, 0) } }

  /// Whether more than half of the evidence lies where no building should be.
  public var isSuspicious: Bool { (share(of: .sky) ?? 0) + (share(of: .border) ?? 0) > 0.5 }
}
