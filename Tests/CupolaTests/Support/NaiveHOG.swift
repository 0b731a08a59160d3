import Foundation

@testable import Cupola

/// A slow reference implementation of HOG in double precision; its `skimage.feature.hog` variants match that function.
struct NaiveHOG {
  enum Voting { case linear, nearest }
  enum Pooling { case triangular, box }

  let hog: HOG
  let image: GrayImage
  var voting = Voting.linear
  var pooling = Pooling.triangular

  var columns: Int { image.width / hog.cellSize }
  var rows: Int { image.height / hog.cellSize }
  private var binWidth: Double { Double.pi / Double(hog.orientations) }

  /// The undivided central difference, 0 across the border.
  func gradient(_ x: Int, _ y: Int) -> (x: Double, y: Double) {
    let across =
      x > 0 && x < image.width - 1 ? Double(image[x + 1, y]) - Double(image[x - 1, y]) : 0
    let down =
      y > 0 && y < image.height - 1 ? Double(image[x, y + 1]) - Double(image[x, y - 1]) : 0
    return (across, down)
  }

  func vote(_ gradient: (x: Double, y: Double), bin: Int) -> Double {
    switch voting {
    case .linear:
      let opposite = (x: -gradient.x, y: -gradient.y)
      return max(share(of: gradient, bin: bin), share(of: opposite, bin: bin))
    case .nearest:
      let angle = atan2(gradient.y, gradient.x)
      let unsigned = angle < 0 ? angle + .pi : angle == .pi ? 0 : angle
      let nearest = min(Int(unsigned / binWidth), hog.orientations - 1)
      return nearest == bin ? hypot(gradient.x, gradient.y) : 0
    }
  }

  /// `max(0, min(g x u[k+1], u[k-1] x g)) / sin(bin width)`.
  private func share(of g: (x: Double, y: Double), bin: Int) -> Double {
    func cross(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Double {
      a.x * b.y - a.y * b.x
    }
    func direction(_ bin: Int) -> (x: Double, y: Double) {
      let angle = (Double(bin) + 0.5) * binWidth
      return (cos(angle), sin(angle))
    }
    return max(0, min(cross(g, direction(bin + 1)), cross(direction(bin - 1), g))) / sin(binWidth)
  }

  /// The weight of pixel `at` in cell `cell` along one axis.
  private func weight(_ at: Int, _ cell: Int) -> Double {
    let size = Double(hog.cellSize)
    let distance = abs(Double(at) + 0.5 - (Double(cell) + 0.5) * size) / size
    switch pooling {
    case .box: return distance < 0.5 ? 1 : 0
    case .triangular: return max(0, 1 - distance)
    }
  }

  /// The cells that a pixel may contribute to along one axis.
  private func near(_ at: Int, _ cells: Int) -> Range<Int> {
    max(0, at / hog.cellSize - 1)..<min(cells, at / hog.cellSize + 2)
  }

  /// Cell values in the order row, column, orientation.
  func cells() -> [Double] {
    var cells = [Double](repeating: 0, count: rows * columns * hog.orientations)
    for y in 0..<rows * hog.cellSize {
      for x in 0..<columns * hog.cellSize {
        let gradient = gradient(x, y)
        let votes = (0..<hog.orientations).map { vote(gradient, bin: $0) }
        for row in near(y, rows) where weight(y, row) > 0 {
          for column in near(x, columns) where weight(x, column) > 0 {
            let share = weight(y, row) * weight(x, column) / Double(hog.cellSize * hog.cellSize)
            let start = (row * columns + column) * hog.orientations
            for bin in votes.indices { cells[start + bin] += share * votes[bin] }
          }
        }
      }
    }
    return cells
  }

  func descriptor() -> [Double] {
    let cells = cells()
    var descriptor: [Double] = []
    for blockRow in 0...(rows - hog.blockSize) {
      for blockColumn in 0...(columns - hog.blockSize) {
        var block: [Double] = []
        for row in blockRow..<blockRow + hog.blockSize {
          for column in blockColumn..<blockColumn + hog.blockSize {
            let start = (row * columns + column) * hog.orientations
            block += cells[start..<start + hog.orientations]
          }
        }
        block = block.map { min($0 / norm(block, Double(hog.firstEpsilon)), Double(hog.clip)) }
        descriptor += block.map { $0 / norm(block, Double(hog.secondEpsilon)) }
      }
    }
    return descriptor
  }

  private func norm(_ values: [Double], _ epsilon: Double) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } + epsilon * epsilon).squareRoot()
  }
}
