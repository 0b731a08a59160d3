#if !canImport(ImageIO)

  internal import CJPEG

  /// The one place that talks to libjpeg, through the C of `CJPEG`.
  enum JPEGCodec {
    /// Whether decoded samples are sRGB whatever the file's profile.
    static let appliesProfiles = false

    /// Whether libjpeg finds nothing wrong before the picture data.
    static func isSound(headerOf data: [UInt8]) -> Bool {
      var picture = cjpeg_picture()
      let status = unsafe data.withUnsafeBufferPointer {
        unsafe cjpeg_measure($0.baseAddress, $0.count, 1, &picture)
      }
      return status == CJPEG_OK && picture.warnings == 0
    }

    /// Decodes to RGB in stored orientation, scaled by `scale`/8.
    ///
    /// - Parameter lenient: accept what libjpeg merely warns about, such as a file cut short.
    static func decode(_ data: [UInt8], scale: Int, lenient: Bool) throws(CupolaError) -> RGBImage {
      var picture = cjpeg_picture()
      let measured = unsafe data.withUnsafeBufferPointer {
        unsafe cjpeg_measure($0.baseAddress, $0.count, Int32(scale), &picture)
      }
      guard measured == CJPEG_OK else {
        throw CupolaError.damagedPhoto(.jpeg, DecoderMessage.text(picture.message))
      }
      let capacity = Int(picture.width) * Int(picture.height) * Int(picture.components)
      var status = CJPEG_OK
      let samples = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        // libjpeg writes every row or fails, but a failed array must not show stale memory.
        status = unsafe data.withUnsafeBufferPointer {
          unsafe cjpeg_decode(
            $0.baseAddress, $0.count, Int32(scale), buffer.baseAddress, capacity, &picture)
        }
        count = status == CJPEG_OK ? capacity : 0
      }
      guard status == CJPEG_OK else {
        throw CupolaError.damagedPhoto(.jpeg, DecoderMessage.text(picture.message))
      }
      if picture.warnings > 0, !lenient {
        throw CupolaError.truncatedPhoto(.jpeg, DecoderMessage.text(picture.message))
      }
      let (width, height) = (Int(picture.width), Int(picture.height))
      let pixels =
        switch picture.components {
        case 1: SampleConversion.rgb(gray: samples)
        case 4: SampleConversion.rgb(cmyk: samples, inverted: picture.inverted == 1)
        default: samples
        }
      return RGBImage(width: width, height: height, pixels: pixels)
    }

    /// Encodes as baseline JPEG, with an APP1 segment when `exif` is not empty.
    static func encode(
      _ image: RGBImage, quality: Int, exif: [UInt8]
    ) throws(CupolaError) -> [UInt8] {
      var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
      var status = CJPEG_OK
      // No baseline JPEG of this size is larger: 8-bit samples, headers, the APP1 segment.
      let capacity = image.pixels.count * 2 + 4096 + exif.count
      let output = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        var written = 0
        status = unsafe cjpeg_encode(
          image.pixels, Int32(image.width), Int32(image.height), Int32(quality), exif, exif.count,
          buffer.baseAddress, capacity, &written, &message)
        count = status == CJPEG_OK ? written : 0
      }
      guard status == CJPEG_OK else {
        let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        throw CupolaError.damagedPhoto(.jpeg, String(decoding: text, as: UTF8.self))
      }
      return output
    }
  }

#endif
