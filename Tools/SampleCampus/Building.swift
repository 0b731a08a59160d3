/// A building on the sample campus: its map entry and its appearance.
struct Building {
  let label: String
  let name: String
  let abbreviation: String
  let category: String
  let description: String
  let address: String
  let yearBuilt: Int
  let frame: Frame
  let width: Double
  let depth: Double
  let height: Double
  var isOval = false
  let massing: Massing

  /// The footprint's corners, counterclockwise.
  var footprint: [Vector] {
    if !isOval {
      return [(-1, -1), (1, -1), (1, 1), (-1, 1)].map {
        frame.place($0.0 * width / 2, $0.1 * depth / 2)
      }
    }
    return (0...23).map {
      let angle = Double($0) * 15
      return frame.place(Angle.cosine(angle) * width / 2, Angle.sine(angle) * depth / 2)
    }
  }
}
