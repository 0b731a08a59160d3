/// Decodes the means of the 8x8 blocks of a progressive JPEG: the picture at an eighth of its size.
///
/// They come in scans of their own, before all detail (ITU-T T.81, G.1.2.1), so that a picture whose
/// coefficients would not fit into memory can still be looked at.
struct JPEGMeans {
  private let bytes: [UInt8]
  private let header: JPEGHeader
  private let scans: JPEGScans

  init(_ bytes: [UInt8], _ header: JPEGHeader, _ scans: JPEGScans) {
    (self.bytes, self.header, self.scans) = (bytes, header, scans)
  }

  /// A component's blocks, whole units of the picture.
  struct Plane {
    let width: Int
    let height: Int
    var values: [Int32]
  }

  /// - Parameter lenient: accept data that are damaged or end early, with gray where they are missing.
  /// - Throws: ``CupolaError/pictureTooCostly(_:_:)`` when the means stand in no scans of their own;
  ///   ``CupolaError/damagedPhoto(_:_:)``; ``CupolaError/truncatedPhoto(_:_:)``.
  func picture(lenient: Bool) throws(CupolaError) -> RGBImage {
    guard header.isProgressive, [1, 3].contains(header.components) else {
      throw CupolaError.pictureTooCostly(
        .jpeg, "\(header.width * header.height / 1_000_000) megapixels in \(scans.all.count) scans")
    }
    let sampling = header.parts.flatMap { [$0.horizontal, $0.vertical] }
    guard sampling.allSatisfy({ (1...4).contains($0) }) else {
      throw CupolaError.damagedPhoto(.jpeg, "impossible sampling")
    }
    let units = header.units
    var planes = header.parts.map { part in
      let (width, height) = (units.across * part.horizontal, units.down * part.vertical)
      return Plane(width: width, height: height, values: .init(repeating: 0, count: width * height))
    }
    var isWhole: Bool?
    let tables = JPEGTables(bytes, header) { tables, payload, data in
      guard let scan = MeansScan(payload, header.parts, tables), scan.isOfMeans else { return }
      // Each component may have a scan of its own: all of them have to be whole.
      let isRead = read(scan, data, restartInterval: tables.restartInterval, into: &planes)
      isWhole = isRead && isWhole ?? true
    }
    guard isWhole ?? false || lenient else {
      throw CupolaError.truncatedPhoto(.jpeg, "the picture data are damaged or end early")
    }
    return image(planes, tables)
  }

  /// Reads a scan; whether its data are whole.
  private func read(
    _ scan: MeansScan, _ data: Range<Int>, restartInterval: Int, into planes: inout [Plane]
  ) -> Bool {
    var state = MeansScan.State(EntropyData(bytes.span, data), components: planes.count)
    let units = header.units
    let isAlone = scan.components.count == 1
    let only = header.parts[scan.components[0].number]
    // A component alone comes in rows of its own blocks, without those that only fill up units.
    let columns =
      isAlone ? blocks(header.width, only.horizontal, header.mostHorizontal) : units.across
    let rows = isAlone ? blocks(header.height, only.vertical, header.mostVertical) : units.down
    for row in 0..<rows {
      for column in 0..<columns {
        state.beginUnit(row * columns + column, restartInterval)
        for component in scan.components {
          let part = header.parts[component.number]
          let size = isAlone ? (1, 1) : (part.horizontal, part.vertical)
          for block in 0..<size.0 * size.1 {
            let (x, y) = (column * size.0 + block % size.0, row * size.1 + block / size.0)
            let at = y * planes[component.number].width + x
            let before = planes[component.number].values[at]
            guard let value = scan.value(before, of: component, &state) else {
              return false
            }
            planes[component.number].values[at] = value
          }
        }
      }
      if state.isExhausted { return false }
    }
    return true
  }

  /// How many blocks a component has along a side.
  private func blocks(_ side: Int, _ sampling: Int, _ most: Int) -> Int {
    ((side * sampling + most - 1) / most + 7) / 8
  }

  private func image(_ planes: [Plane], _ tables: JPEGTables) -> RGBImage {
    let (width, height) = ((header.width + 7) / 8, (header.height + 7) / 8)
    let (across, down) = (header.mostHorizontal, header.mostVertical)
    let steps = header.parts.map { tables.steps($0.quantization)?.first ?? 1 }
    let pixels = [UInt8](capacity: 3 * width * height) { output in
      for y in 0..<height {
        for x in 0..<width {
          var samples: (Int, Int, Int) = (128, 128, 128)
          for (number, part) in header.parts.enumerated() {
            let at = y * part.vertical / down * planes[number].width + x * part.horizontal / across
            let sample = (Int(planes[number].values[at]) * Int(steps[number]) + 4) >> 3 + 128
            switch number {
            case 0: samples.0 = sample
            case 1: samples.1 = sample
            default: samples.2 = sample
            }
          }
          let (red, green, blue) = rgb(samples, tables.isYCbCr)
          output.append(UInt8(min(max(red, 0), 255)))
          output.append(UInt8(min(max(green, 0), 255)))
          output.append(UInt8(min(max(blue, 0), 255)))
        }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  /// By ITU-T T.871, 7, in 16 bits behind the point.
  private func rgb(_ samples: (Int, Int, Int), _ isYCbCr: Bool) -> (Int, Int, Int) {
    if header.components == 1 { return (samples.0, samples.0, samples.0) }
    guard isYCbCr else { return samples }
    let (y, cb, cr) = (min(max(samples.0, 0), 255), samples.1 - 128, samples.2 - 128)
    return (
      y + (91_881 * cr + 32_768) >> 16, y - (22_554 * cb + 46_802 * cr + 32_768) >> 16,
      y + (116_130 * cb + 32_768) >> 16
    )
  }
}
