#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

package import Cupola

// Small images of the photos shown on the page.
// 1. Re-encode photos without metadata, such as positions. 2. Draw the evidence over mistaken photos.

package struct ReportPictures: Sendable {
  package struct Drawing: Sendable {
    let jpeg: [UInt8]
    let caption: String
  }

  static let side = 360
  package var decoder = PhotoDecoder()
  package var threads = 1
  package var overlay: (@Sendable (_ photo: Photo, _ answer: Evaluation.Answer) -> Drawing?)?

  package struct Embedded: Sendable {
    let source: String
    let width: Int
    let height: Int

    func view(alt: String) -> ReportPage.View {
      ["source": source, "width": "\(width)", "height": "\(height)", "alt": alt]
    }
  }

  struct Size: Sendable {
    let side: Int
    let quality: Int
    static let small = Size(side: 152, quality: 55)
    static let medium = Size(side: 240, quality: 60)
    static let large = Size(side: ReportPictures.side, quality: 68)
  }

  func embedded(_ photos: [LabeledPhoto], size: Size) async -> [Embedded?] {
    await parallelMap(photos, threads: threads) { embedded($0, size) }
  }

  func drawings(_ answers: [Evaluation.Answer]) async -> [(picture: Embedded, caption: String)?] {
    guard let overlay else { return answers.map { _ in nil } }
    return await parallelMap(answers, threads: threads) { answer in
      guard let photo = try? answer.photo.opened(by: decoder),
        let drawing = overlay(photo, answer),
        let drawn = try? decoder.open(drawing.jpeg)
      else { return nil }
      let picture = Embedded(
        source: Self.address(of: drawing.jpeg), width: drawn.width, height: drawn.height)
      return (picture, drawing.caption)
    }
  }

  private func embedded(_ photo: LabeledPhoto, _ size: Size) -> Embedded? {
    (try? photo.opened(by: decoder)).flatMap { Self.embedded($0, size) }
  }

  static func embedded(_ photo: Photo, _ size: Size) -> Embedded? {
    guard
      let image = try? photo.image(minimumWidth: size.side, minimumHeight: size.side)
    else { return nil }
    let scale = min(1, Double(size.side) / Double(max(image.width, image.height)))
    let width = max(1, Int((Double(image.width) * scale).rounded()))
    let height = max(1, Int((Double(image.height) * scale).rounded()))
    let small = AreaResampler.resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height), width: width,
      height: height)
    guard let jpeg = try? JPEGEncoder.encode(small, quality: size.quality) else { return nil }
    return Embedded(source: address(of: jpeg), width: width, height: height)
  }

  static func address(of jpeg: [UInt8]) -> String {
    "data:image/jpeg;base64," + base64(jpeg)
  }

  static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Adds drawings of the evidence for the answer, compared with the true building or the next most probable one.
  package mutating func explain(by model: Model) {
    let explainer = Explainer(model: model)
    var drawn = ExplanationOverlay()
    (drawn.maximumSide, drawn.usualSide, drawn.hasCaption) = (Self.side, Self.side, false)
    let known = Set(model.labels.buildings.map { model.labels.names[$0] })
    overlay = { [drawn] photo, answer in
      // A building that is named from the position only has no evidence.
      let taken =
        answer.answered.flatMap { known.contains($0) ? $0 : nil } ?? answer.candidates.first?.label
      let truth = answer.photo.label
      let other = known.contains(truth) && truth != taken ? truth : nil
      guard let taken,
        let explanation = try? explainer.explain(photo, label: taken, against: other),
        let jpeg = try? drawn.jpeg(explanation, photo: photo, campus: model.campus)
      else { return nil }
      let names = [explanation.label, explanation.against].map { model.campus.name(of: $0) }
      let warning =
        explanation.isSuspicious
        ? " More than half of the evidence is in the sky or at the border." : ""
      return Drawing(
        jpeg: jpeg,
        caption: "Orange: evidence for \(names[0]). Blue: evidence for \(names[1])." + warning)
    }
  }
}
