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
      return Plane(width: width, values: .init(repeating: 0, count: width * height))
    }
    var isWhole: Bool?
    let tables = JPEGTables(bytes, header) { tables, payload, data in
      guard let scan = MeansScan(payload, header.parts, tables), scan.isOfMeans else { return }
      // Each component may have a scan of its own: all of them have to be whole.
      let isRead = read(scan, data, restartInterval: tables.restartInterval, into: &planes)
      isWhole = isRead && isWhole ?? true
    }
    // Where the data end early, scans may be missing that bring another bit of the means.
    guard lenient || isWhole ?? false && scans.endWithPicture else {
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
        state.beginUnit(restartInterval: restartInterval)
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
    let steps = header.parts.map { tables.steps($0.quantization)?.first ?? 1 }
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    for y in 0..<height {
      let lines = header.parts.indices.map { number in
        samples(header.parts[number], of: planes[number], step: steps[number], line: y)
      }
      if tables.isYCbCr, lines.count == 3 {
        let (means, blue, red) = (lines[0].map { 8 * (Int16($0) - 128) }, lines[1], lines[2])
        WideRows.writeColors(
          means.span, times: 1, blue: blue.span, red: red.span, from: y * width,
          count: width, into: &pixels)
      } else {
        for at in 0..<3 * width {
          pixels[3 * y * width + at] = lines[at % 3 % lines.count][at / 3]
        }
      }
    }
    return RGBImage(width: width, height: height, pixels: pixels)
  }

  /// A component's samples in a line of the picture.
  private func samples(
    _ part: JPEGHeader.Component, of plane: Plane, step: Int32, line y: Int
  ) -> [UInt8] {
    let row = y * part.vertical / header.mostVertical * plane.width
    return (0..<(header.width + 7) / 8).map { x in
      let mean = plane.values[row + x * part.horizontal / header.mostHorizontal]
      return UInt8(min(max((Int(mean) * Int(step) + 4) >> 3 + 128, 0), 255))
    }
  }
}
