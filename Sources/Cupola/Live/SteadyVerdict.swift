/// What is shown of beliefs: it appears only when they are sure, and stays until they are far from it.
struct SteadyVerdict: Equatable, Sendable {
  /// What is shown.
  enum Shown: Equatable, Sendable {
    case looking
    /// By where it stands among the labels' buildings.
    case building(Int)
    case unsure
    case other
  }

  private(set) var shown = Shown.looking
  /// Frames in which two buildings were all that was believed in.
  private var undecided = 0

  /// So much belief makes a verdict appear, and less than the second makes it go.
  static let appears = 0.95
  static let goes = 0.2
  /// Two buildings are told when they have had this much of the belief together for so many frames.
  static let together = 0.9
  static let patience = 10

  /// Nothing was seen.
  mutating func reset() { self = SteadyVerdict() }

  /// Another scene begins: a name, or that it is nothing, stays only where the first frame says the same.
  ///
  /// - Returns: the building whose name stays.
  mutating func cut(_ picture: LivePicture) -> Int? {
    undecided = 0
    switch shown {
    case .building(let building) where picture.best == building && picture.odds >= 0:
      return building
    case .other where picture.odds < 0: break
    default: shown = .looking
    }
    return nil
  }

  /// - Parameters:
  ///   - beliefs: one a building, and last what is none of them.
  ///   - contradicts: whether the place speaks against a building.
  mutating func update(_ beliefs: [Double], contradicts: Bool) {
    let buildings = beliefs.count - 1
    if case .building(let building) = shown, beliefs[building] < Self.goes { shown = .looking }
    if shown == .other, beliefs[buildings] < Self.goes { shown = .looking }
    var (best, second) = (-1, -1)
    for building in 0..<buildings {
      if best < 0 || beliefs[building] > beliefs[best] {
        (best, second) = (building, best)
      } else if second < 0 || beliefs[building] > beliefs[second] {
        second = building
      }
    }
    if contradicts {
      shown = .unsure
    } else if best >= 0, beliefs[best] >= Self.appears {
      shown = .building(best)
    } else if beliefs[buildings] >= Self.appears {
      shown = .other
    } else {
      wait(best >= 0 && second >= 0 && beliefs[best] + beliefs[second] >= Self.together)
    }
  }

  /// Counts frames between two buildings.
  private mutating func wait(_ isBetweenTwo: Bool) {
    undecided = isBetweenTwo ? undecided + 1 : 0
    if shown == .looking, undecided >= Self.patience { shown = .unsure }
    if shown == .unsure, undecided == 0 { shown = .looking }
  }
}
