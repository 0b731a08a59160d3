/// Writes the containers of photos in other formats, with metadata but without image data.
package enum PhotoFileBuilder {
  package typealias Chunk = (name: String, content: [UInt8])

  private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    EXIFBuilder(bigEndian: true).number(value, count)
  }

  private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap { $0 }
    return join(number(content.count + 8, 4), Array(type.utf8), content)
  }

  /// A HEIC file with items of type `hvc1`, numbered from 1, and an EXIF item that describes the primary one.
  /// - Parameters:
  ///   - width: Stored columns of the primary image; the others have a size of 8x8.
  ///   - turns: The stored rotation, in counterclockwise quarter turns.
  ///   - images: The number of images.
  ///   - primary: The number of the primary image.
  ///   - color: The content of its `colr` box.
  package static func heic(
    width: Int, height: Int, turns: UInt8 = 0, exif: [UInt8] = [], images: Int = 1,
    primary: Int = 1, color: [UInt8] = []
  ) -> [UInt8] {
    let exifItem = images + 1
    let none = number(0, 4)
    let version2: [UInt8] = [2, 0, 0, 0]
    func entry(_ id: Int, _ type: String) -> [UInt8] {
      box("infe", version2, number(id, 2), number(0, 2), Array(type.utf8), [0])
    }
    let entries = (1...images).flatMap { entry($0, "hvc1") }
    let properties = box(
      "ipco", box("ispe", none, number(8, 4), number(8, 4)),
      box("ispe", none, number(width, 4), number(height, 4)), box("irot", [turns]),
      color.isEmpty ? [] : box("colr", color))
    let associations = (1...images).flatMap { id -> [UInt8] in
      var own: [UInt8] = id == primary ? [2, 0x83] : [1]
      if id == primary, !color.isEmpty { own.append(4) }
      return join(number(id, 2), [UInt8(own.count)], own)
    }
    let data = exif.isEmpty ? [] : join(none, exif)
    // Version 1 with offsets and lengths of 4 bytes; the item is stored in `idat`.
    let place = join(
      [1, 0, 0, 0], [0x44, 0, 0, 1], number(exifItem, 2), [0, 1, 0, 0, 0, 1], none,
      number(data.count, 4))
    let reference = box("cdsc", number(exifItem, 2), number(1, 2), number(primary, 2))
    let meta = box(
      "meta", none, box("pitm", none, number(primary, 2)),
      box("iinf", none, number(images + 1, 2), entries, entry(exifItem, "Exif")),
      box("iloc", place), box("iref", none, reference),
      box("iprp", properties, box("ipma", none, number(images, 4), associations)),
      box("idat", data))
    return join(box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)), meta)
  }

  package static func png(
    width: Int, height: Int, exif: [UInt8] = [], more: [Chunk] = []
  ) -> [UInt8] {
    var chunks: [Chunk] = [("IHDR", join(number(width, 4), number(height, 4), [8, 2, 0, 0, 0]))]
    if !exif.isEmpty { chunks.append(("eXIf", exif)) }
    let content = (chunks + more).flatMap { chunk in
      join(number(chunk.content.count, 4), Array(chunk.name.utf8), chunk.content, number(0, 4))
    }
    return join([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], content)
  }

  /// A text chunk of a PNG file: `tEXt`, `zTXt`, or `iTXt`.
  package static func text(
    _ kind: String, _ keyword: String, _ text: [UInt8], isCompressed: Bool = false
  ) -> Chunk {
    let head: [UInt8] =
      kind == "iTXt" ? [isCompressed ? 1 : 0, 0, 0x65, 0x6E, 0, 0] : kind == "zTXt" ? [0] : []
    let packed = isCompressed || kind == "zTXt" ? stored(text) : text
    return (kind, join(Array(keyword.utf8), [0], head, packed))
  }

  /// A zlib stream of one block that is not compressed.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let length = EXIFBuilder().number(bytes.count, 2)
    return join([0x78, 1, 1], length, length.map { ~$0 }, bytes, number(0, 4))
  }

  package static func webP(
    width: Int, height: Int, exif: [UInt8] = [], more: [Chunk] = []
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { EXIFBuilder().number(value, count) }
    var chunks: [Chunk] = [
      ("VP8X", join([8, 0, 0, 0], little(width - 1, 3), little(height - 1, 3)))
    ]
    if !exif.isEmpty { chunks.append(("EXIF", exif)) }
    let content = (chunks + more).flatMap { chunk in
      join(
        Array(chunk.name.utf8), little(chunk.content.count, 4), chunk.content,
        chunk.content.count % 2 == 1 ? [0] : [])
    }
    return join(
      Array("RIFF".utf8), little(content.count + 4, 4), Array("WEBP".utf8), content)
  }
}
