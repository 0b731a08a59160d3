/// Opens image files, within limits.
public struct PhotoDecoder: Sendable {
  /// What a file may be before it is refused, checked before any memory is taken for pixels.
  public struct Limits: Sendable {
    /// Bytes in the file.
    public var bytes = 64 << 20
    /// Pixels in the stored picture.
    public var pixels = 100_000_000

    /// The limits of the recipe: 64 MB and 100 megapixels.
    public init() {}
  }

  /// Bounds on what is accepted.
  public var limits = Limits()
  /// Accept a picture whose data are damaged or end early, with gray where they are missing.
  public var lenient = false
  /// The kinds of files that can be read; of two that read the same format the first does.
  var containers: [any PhotoContainer.Type] = Self.usualContainers

  #if canImport(ImageIO)
    private static let usualContainers: [any PhotoContainer.Type] = [
      JPEGContainer.self, ImageIOContainer.self,
    ]
  #else
    private static let usualContainers: [any PhotoContainer.Type] = {
      var containers: [any PhotoContainer.Type] = [JPEGContainer.self]
      #if HEIF
        containers.append(HEIFContainer.self)
      #endif
      #if PNG
        containers.append(PNGContainer.self)
      #endif
      #if WebP
        containers.append(WebPContainer.self)
      #endif
      return containers
    }()
  #endif

  /// The formats that can be read: JPEG, on Apple platforms what ImageIO reads beside it, elsewhere those of
  /// the package's traits `HEIF`, `PNG` and `WebP`.
  public var formats: Set<PhotoFormat> {
    containers.reduce(into: []) { $0.formUnion($1.formats) }
  }

  /// A strict decoder with the usual limits.
  public init() {}

  /// Opens the bytes of a whole file, such as `[UInt8]` or `Data`: reads its size, orientation, position,
  /// heading and time, without decoding the picture.
  ///
  /// - Throws: ``CupolaError`` when the bytes are of no format that can be read, are damaged before the
  ///   picture data, or exceed the limits.
  public func open(_ file: some Sequence<UInt8>) throws(CupolaError) -> Photo {
    let bytes = Array(file)
    guard bytes.count <= limits.bytes else {
      throw CupolaError.file(.tooLarge(bytes: bytes.count, limit: limits.bytes))
    }
    let format = PhotoFormat(of: bytes)
    guard let kind = containers.first(where: { $0.formats.contains(format) }) else {
      throw CupolaError.unsupportedFormat(format)
    }
    let photo = try Photo(bytes, format, as: kind, lenient: lenient)
    let (width, height) = (photo.container.width, photo.container.height)
    guard width > 0, height > 0 else {
      throw CupolaError.damagedPhoto(format, "a frame of \(width)x\(height)")
    }
    guard width * height <= limits.pixels else {
      throw CupolaError.pictureTooLarge(width: width, height: height, limit: limits.pixels)
    }
    return photo
  }

  /// Opens a file; see ``open(_:)``.
  package func open(path: String) throws(CupolaError) -> Photo {
    try open(
      try CupolaError.files { () throws(FileError) in
        try FileAccess.read(path, limit: limits.bytes)
      })
  }
}
