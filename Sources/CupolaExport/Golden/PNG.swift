package import Cupola

/// Writes pictures as PNG (RFC 2083) without compression: small code, and every platform reads it.
package enum PNG {
  /// A file of 8-bit RGB.
  package static func bytes(of image: RGBImage) -> [UInt8] {
    let header =
      bigEndian(UInt32(image.width)) + bigEndian(UInt32(image.height)) + [8, 2, 0, 0, 0]
    var rows: [UInt8] = []
    rows.reserveCapacity(image.height * (3 * image.width + 1))
    for row in 0..<image.height {
      rows.append(0)
      rows += image.pixels[row * 3 * image.width..<(row + 1) * 3 * image.width]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bigEndian(UInt32(data.count)) + body + bigEndian(CRC32.of(body[...]))
  }

  /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, section 3.2.4).
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    let most = 65_535
    for start in stride(from: 0, to: data.count, by: most) {
      let end = min(start + most, data.count)
      let length = UInt16(end - start)
      stream.append(end == data.count ? 1 : 0)
      stream += length.littleEndianBytes + (~length).littleEndianBytes
      stream += data[start..<end]
    }
    return stream + bigEndian(adler32(data))
  }

  private static func adler32(_ data: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    value.littleEndianBytes.reversed()
  }
}
