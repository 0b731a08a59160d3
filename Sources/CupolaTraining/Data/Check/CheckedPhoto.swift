internal import Cupola

/// What one look at a photo tells of it: little enough to keep of ten thousand.
struct CheckedPhoto: Sendable {
  let traits: PhotoTraits
  /// As stored, before it is turned.
  let width: Int
  let height: Int
  /// Color components as stored: 1 gray, 3 color, 4 CMYK.
  let components: Int
  let light: Light
  /// What the quick cross-validation compares photos by, 1 x values; `nil` once it has them.
  var features: SafeTensors.Tensor?

  var name: String { traits.photo.name }
  var label: String { traits.photo.label }

  /// - Throws: ``CupolaError`` when the photo cannot be used.
  init(reading photo: LabeledPhoto, with reader: PhotoReader) throws(CupolaError) {
    let opened = try photo.opened(by: reader.decoder)
    let image = try opened.image(minimumWidth: Light.side, minimumHeight: Light.side)
    try self.init(photo, opened, image, with: reader)
  }

  /// The same of a picture that was decoded to at least ``Light/side``.
  init(
    _ photo: LabeledPhoto, _ opened: Photo, _ image: RGBImage, with reader: PhotoReader
  ) throws(CupolaError) {
    let stored = opened.container
    (width, height, components) = (stored.width, stored.height, stored.components)
    let side = Light.side
    let square = AreaResampler.resize(
      image, region: Region(x: 0, y: 0, width: image.width, height: image.height), width: side,
      height: side)
    light = Light(GrayImage(luma: square))
    if let extractor = reader.extractor {
      let input = reader.recipe.prepare(image, geometry: reader.recipe.geometry)
      features = SafeTensors.Tensor(
        halves: reader.sketch.applied(to: try extractor.features(of: input)),
        shape: [1, reader.sketch.size])
    }
    traits = PhotoTraits(
      photo: photo, digest: SHA256.hexadecimal(of: opened.bytes),
      metadata: photo.metadata(of: opened), thumbnail: LumaThumbnail(image))
  }
}

/// How the photos of a check are read.
struct PhotoReader: Sendable {
  let decoder: PhotoDecoder
  let recipe: Recipe
  /// `nil` where nothing could be learned to compare photos by.
  let extractor: FeatureExtractor?
  let sketch: FeatureSketch
}

/// How light and how sharp a picture is.
struct Light: Equatable, Sendable {
  /// Pictures are looked at in this size, so that their sharpness can be compared.
  static let side = 256

  /// The gray levels that 5 % and 95 % of the pixels are below.
  let dark: Int
  let bright: Int
  /// The variance of the Laplacian over that of the gray levels, 0...72 (after Pech-Pacheco et al. 2000);
  /// `nil` where there is nothing to see.
  let sharpness: Double?

  init(_ image: GrayImage) {
    var histogram = [Int](repeating: 0, count: 256)
    for sample in image.samples { histogram[min(Int(sample), 255)] += 1 }
    func level(_ share: Double) -> Int {
      var left = Int(share * Double(image.samples.count))
      return histogram.firstIndex { count in
        left -= count
        return left < 0
      } ?? 255
    }
    (dark, bright) = (level(0.05), level(0.95))
    let variance = Self.variance(image.samples)
    sharpness = variance < 1 ? nil : Self.variance(Self.laplacian(image)) / variance
  }

  private static func laplacian(_ image: GrayImage) -> [Float] {
    let (width, source) = (image.width, image.samples.span)
    var values: [Float] = []
    values.reserveCapacity(source.count)
    for y in 1..<max(1, image.height - 1) {
      let above = source.extracting((y - 1) * width..<y * width)
      let row = source.extracting(y * width..<(y + 1) * width)
      let below = source.extracting((y + 1) * width..<(y + 2) * width)
      for x in 1..<max(1, width - 1) {
        values.append(above[x] + below[x] + row[x - 1] + row[x + 1] - 4 * row[x])
      }
    }
    return values
  }

  private static func variance(_ values: [Float]) -> Double {
    guard !values.isEmpty else { return 0 }
    let count = Double(values.count)
    let mean = values.reduce(0.0) { $0 + Double($1) } / count
    return values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
  }
}
