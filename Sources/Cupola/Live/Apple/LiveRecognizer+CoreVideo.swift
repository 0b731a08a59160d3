#if canImport(VideoToolbox)

  public import CoreVideo

  extension LiveRecognizer {
    /// Processes the next camera frame.
    ///
    /// Reads 32-bit BGRA and YUV 4:2:0 (full and video range) without copying; VideoToolbox converts other formats.
    /// Uses BT.709 for YUV if the frame's `kCVImageBufferYCbCrMatrixKey` specifies it, otherwise BT.601.
    ///
    /// - Parameter orientation: The rotation of the frame; `.right` for a phone held upright.
    /// - Returns: `nil` if VideoToolbox cannot convert the frame.
    /// - Throws: The same errors as ``update(_:at:heading:year:time:)``.
    public mutating func update(
      _ buffer: CVPixelBuffer, orientation: Orientation, at position: Position? = nil,
      heading: Heading? = nil, year: Double = MagneticField.defaultYear, time: Double? = nil
    ) throws(CupolaError) -> LiveAnswer? {
      let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
      let format = CVPixelBufferGetPixelFormatType(buffer)
      let planes = [
        kCVPixelFormatType_32BGRA: 1, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: 2,
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: 2,
      ]
      guard width > 0, height > 0, let planes = planes[format],
        CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess
      else {
        guard let image = RGBImage(buffer, orientation: orientation) else { return nil }
        return try update(image, at: position, heading: heading, year: year, time: time)
      }
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      if planes == 1 {
        let bytesPerRow = CVPixelBufferGetBytesPerRow(buffer)
        let pixels = unsafe UnsafeRawBufferPointer(
          start: CVPixelBufferGetBaseAddress(buffer), count: bytesPerRow * height)
        let frame = CameraFrame(
          pixels: unsafe Span(_unsafeBytes: pixels), format: .bgra, width: width, height: height,
          bytesPerRow: bytesPerRow, orientation: orientation)
        return try update(frame, at: position, heading: heading, year: year, time: time)
      }
      let (luma, chroma) = unsafe (Self.plane(0, of: buffer), Self.plane(1, of: buffer))
      let encoding = YCbCr(
        isHD: Self.isHD(buffer),
        isFullRange: format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      let frame = CameraFrame(
        luma: unsafe Span(_unsafeBytes: luma),
        bytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 0),
        chroma: unsafe Span(_unsafeBytes: chroma),
        chromaBytesPerRow: CVPixelBufferGetBytesPerRowOfPlane(buffer, 1),
        encoding: encoding, width: width, height: height, orientation: orientation)
      return try update(frame, at: position, heading: heading, year: year, time: time)
    }

    private static func isHD(_ buffer: CVPixelBuffer) -> Bool {
      let matrix = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil)
      return matrix as? String == kCVImageBufferYCbCrMatrix_ITU_R_709_2 as String
    }

    private static func plane(_ number: Int, of buffer: CVPixelBuffer) -> UnsafeRawBufferPointer {
      unsafe UnsafeRawBufferPointer(
        start: CVPixelBufferGetBaseAddressOfPlane(buffer, number),
        count: CVPixelBufferGetBytesPerRowOfPlane(buffer, number)
          * CVPixelBufferGetHeightOfPlane(buffer, number))
    }
  }

#endif
