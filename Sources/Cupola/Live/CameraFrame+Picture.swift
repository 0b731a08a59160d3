extension CameraFrame {
  /// The whole frame, copied and turned upright.
  package var picture: RGBImage {
    var picture = RGBImage(width: width, height: height)
    var pixels = picture.pixels.mutableSpan
    for y in 0..<height {
      var row = pixels._mutatingExtracting(3 * y * width..<3 * (y + 1) * width)
      read(row: y, from: 0, into: &row)
    }
    return picture.upright(from: orientation)
  }
}
