#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Histograms of oriented gradients (Dalal & Triggs, CVPR 2005) of a gray picture.
///
/// 1. Central differences, without the half; at the border the neighbor across mirrors the one
///    within, so the gradient across the border is 0.
/// 2. Votes for unsigned orientation bins whose centers are half a bin from 0 (along the row).
/// 3. Cells of `cellSize` x `cellSize` pixels, pooled as means in gray levels.
/// 4. Overlapping blocks of `blockSize` x `blockSize` cells, normalized by L2-Hys: L2, clip, L2.
///
/// The result is ordered block row, block column, cell row, cell column, orientation.
package struct HOG: Equatable, Codable, Sendable {
  /// How a gradient votes.
  package enum Voting: String, Codable, Sendable {
    /// For the two nearest bins: the gradient's components along their two directions.
    ///
    /// With unit vectors `u` of the bins' directions, bin `k` gets
    /// `max(0, min(g x u[k+1], u[k-1] x g)) / sin(bin width)`: the parallelogram decomposition, which
    /// is linear within a bin, continuous everywhere, and needs no arctangent, root or division.
    case linear
    /// For the bin it lies in, with its magnitude.
    case nearest
  }

  /// How votes are gathered into cells.
  package enum Pooling: String, Codable, Sendable {
    /// With a triangular window two cells wide in each direction (bilinear interpolation).
    case triangular
    /// From the cell's own pixels only.
    case box
  }

  /// Bins over 180 degrees, at least 3.
  package var orientations: Int
  /// Pixels along a cell's side, even.
  package var cellSize: Int
  /// Cells along a block's side.
  package var blockSize: Int
  /// How a gradient votes.
  package var voting: Voting
  /// How votes are gathered into cells.
  package var pooling: Pooling
  /// The largest value after the first normalization.
  package var clip: Float
  /// Added in quadrature to a block's norm before clipping, in gray levels.
  package var firstEpsilon: Float
  /// Added in quadrature to the norm after clipping.
  package var secondEpsilon: Float

  /// The recipe's descriptor: 8100 values for 128x128 pixels.
  package static let standard = HOG(
    orientations: 9, cellSize: 8, blockSize: 2, voting: .linear, pooling: .triangular,
    clip: 0.2, firstEpsilon: 1, secondEpsilon: 0.01)

  /// Equal to `skimage.feature.hog` with its L2-Hys blocks and otherwise default values.
  package static let scikitImage = HOG(
    orientations: 9, cellSize: 8, blockSize: 2, voting: .nearest, pooling: .box,
    clip: 0.2, firstEpsilon: 1e-5, secondEpsilon: 1e-5)

  /// Values for a picture of so many pixels; 0 when it is too small for one block.
  package func count(width: Int, height: Int) -> Int {
    let blocks = (
      across: width / cellSize - blockSize + 1, down: height / cellSize - blockSize + 1
    )
    guard blocks.across > 0, blocks.down > 0 else { return 0 }
    return blocks.across * blocks.down * blockSize * blockSize * orientations
  }

  /// The descriptor of a picture.
  ///
  /// Pixels right of and below the last whole cell are left out.
  /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)`` when no block fits.
  package func descriptor(of image: GrayImage) throws(CupolaError) -> [Float] {
    let count = count(width: image.width, height: image.height)
    guard count > 0 else {
      throw CupolaError.pictureTooSmall(
        width: image.width, height: image.height, needed: cellSize * blockSize)
    }
    var descriptor = [Float](repeating: 0, count: count)
    var workspace = HOGWorkspace(self, width: image.width, height: image.height)
    workspace.describe(image, into: &descriptor)
    return descriptor
  }

  /// Step 1 to 3: the histogram of every cell.
  func cells(of image: GrayImage) -> CellGrid {
    var workspace = HOGWorkspace(self, width: image.width, height: image.height)
    workspace.readCells(of: image)
    return workspace.cells
  }
}

/// The histograms of a picture's cells.
package struct CellGrid: Equatable, Sendable {
  package let columns: Int
  package let rows: Int
  package let orientations: Int
  /// Ordered row, column, orientation; mean votes in gray levels.
  package var values: [Float]
}

/// The linear forms that tell a gradient's share in one orientation bin.
package struct Voter: Sendable {
  /// `gx * upperX + gy * upperY` falls to 0 at the next bin's center; likewise `lower` at the last's.
  package let upperX: Float
  package let upperY: Float
  package let lowerX: Float
  package let lowerY: Float
  /// The bin's two edges as directions, for voting by nearest bin.
  let edges: (SIMD2<Float>, SIMD2<Float>)
  let isLast: Bool

  package init(bin: Int, of orientations: Int) {
    let width = Double.pi / Double(orientations)
    let next = (Double(bin) + 1.5) * width
    let last = (Double(bin) - 0.5) * width
    upperX = Float(sin(next) / sin(width))
    upperY = Float(-cos(next) / sin(width))
    lowerX = Float(-sin(last) / sin(width))
    lowerY = Float(cos(last) / sin(width))
    let start = Double(bin) * width
    edges = (
      SIMD2(Float(cos(start)), Float(sin(start))),
      SIMD2(Float(cos(start + width)), Float(sin(start + width)))
    )
    isLast = bin == orientations - 1
  }
}

/// The voters of all bins.
struct Voters: Sendable {
  let all: [Voter]
  /// For each bin `upperX`, `upperY`, `lowerX`, `lowerY`.
  let forms: [Float]

  init(orientations: Int) {
    all = (0..<orientations).map { Voter(bin: $0, of: orientations) }
    forms = all.flatMap { [$0.upperX, $0.upperY, $0.lowerX, $0.lowerY] }
  }
}
