/// How luma and color differences stand for red, green and blue (ITU-R BT.601 and BT.709).
public struct YCbCr: Equatable, Sendable {
  /// Whose weights of red, green and blue make the luma.
  public enum Matrix: Sendable {
    /// Of standard definition, JPEG, and most phones' frames.
    case bt601
    /// Of high definition.
    case bt709
  }

  /// Which values stand for black and white.
  public enum Range: Sendable {
    /// 0 and 255, as in JPEG; `420f`.
    case full
    /// 16 and 235, as in video; `420v`.
    case video
  }

  /// Whose weights make the luma.
  public let matrix: Matrix
  /// Which values stand for black and white.
  public let range: Range

  /// The usual one is that of JPEG.
  public init(matrix: Matrix = .bt601, range: Range = .full) {
    self.matrix = matrix
    self.range = range
  }

  /// In 1/65536: what luma less ``black`` is multiplied with, and color differences less 128.
  var factors: (luma: Int32, redOfCr: Int32, greenOfCb: Int32, greenOfCr: Int32, blueOfCb: Int32) {
    switch (matrix, range) {
    case (.bt601, .full): (65_536, 91_881, -22_554, -46_802, 116_130)
    case (.bt601, .video): (76_309, 104_597, -25_675, -53_279, 132_201)
    case (.bt709, .full): (65_536, 103_206, -12_276, -30_679, 121_609)
    case (.bt709, .video): (76_309, 117_489, -13_975, -34_925, 138_438)
    }
  }

  /// The luma of black.
  var black: Int32 { range == .full ? 0 : 16 }
}
