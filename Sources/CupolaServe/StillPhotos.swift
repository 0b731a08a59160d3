#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import NIOHTTP1

  // 1. Admit a few photos at a time, because they are much larger than frames.
  // 2. Recognize each photo by itself, like `cupola classify`: with the position that is stored in it, never that of the
  //    viewer, and without earlier photos and frames.
  // 3. Explain or save the photo if the page requests it.

  /// Answers photos that pages send by POST.
  struct StillPhotos: Sendable {
    static let mostBytes = 16 << 20
    /// The number of photos in memory at the same time.
    private static let mostUploads = 2
    /// JPEG images are scaled while they are decoded, so they need less memory than other formats.
    private static let (mostPixels, mostOtherPixels) = (64 << 20, 16 << 20)
    private static let mostScans = 16

    let recognizer: Recognizer
    let collector: FrameCollector?
    private let uploads = ConnectionLimit(mostUploads)

    init(_ recognizer: Recognizer, _ collector: FrameCollector?) {
      (self.recognizer, self.collector) = (recognizer, collector)
    }

    /// Returns a place that is free again when it is released; `nil` if there are too many photos.
    func place() -> UploadPlace? { UploadPlace(uploads) }

    /// Answers `POST /photo`. The parameter `label` saves the photo, and `overlay=1` adds the evidence.
    func answer(_ request: ServedRequest) async -> ServedResponse {
      let (json, status) = await FramePool.shared.run(for: FramePool.Share(), isLong: true) {
        request.value("label").map { keep(request.body, label: $0) }
          ?? recognized(request.body, explains: request.value("overlay") == "1")
      }
      return LivePage.response(.bytes(json.line), type: MediaType.json, status: status)
    }

    private func recognized(
      _ bytes: [UInt8], explains: Bool
    ) -> (JSONObject, HTTPResponseStatus) {
      let campus = recognizer.model.campus
      do throws(CupolaError) {
        var decoder = recognizer.decoder
        decoder.maximumPixels =
          PhotoFormat(of: bytes) == .jpeg ? Self.mostPixels : Self.mostOtherPixels
        decoder.maximumScans = Self.mostScans
        let photo = try decoder.open(bytes)
        let answer = try recognizer.recognize(photo)
        let json = JSONObject(answering: "photo", .success(answer), top: 3, campus: campus)
        return (json.adding(["overlay": explains ? overlay(photo, answer) : nil]), .ok)
      } catch {
        if case .unsupportedFormat = error {
          return Self.problem(error.message, .unsupportedMediaType)
        }
        return Self.problem(error.message, .unprocessableEntity)
      }
    }

    private func overlay(_ photo: Photo, _ answer: Recognition) -> JSONObject? {
      guard answer.verdict != .notOnCampus else { return nil }
      let model = recognizer.model
      let label = answer.label.flatMap { model.labels.names.contains($0) ? $0 : nil }
      let explainer = Explainer(model: model, point: recognizer.point)
      return (try? explainer.explain(photo, label: label)).map { JSONObject(overlay: $0.map) }
    }

    private func keep(_ bytes: [UInt8], label: String) -> (JSONObject, HTTPResponseStatus) {
      guard let collector else {
        return Self.problem("the server does not save photos; start it with --collect", .forbidden)
      }
      guard PhotoFormat(of: bytes) == .jpeg else {
        return Self.problem("the photo is not a JPEG image", .unsupportedMediaType)
      }
      let folder = FrameCollector.folder(of: label, in: recognizer.model)
      do throws(FrameCollector.SaveError) {
        let count = try collector.keep(bytes, label: folder)
        return (["type": "kept", "label": folder, "photos": count], .ok)
      } catch {
        return Self.problem(error.message, .unprocessableEntity)
      }
    }

    private static func problem(
      _ text: String, _ status: HTTPResponseStatus
    ) -> (JSONObject, HTTPResponseStatus) { (["type": "error", "message": text], status) }
  }

  /// A body's place among the simultaneous uploads, until it is released.
  final class UploadPlace: Sendable {
    private let limit: ConnectionLimit
    private let count: Int

    init?(_ limit: ConnectionLimit, _ count: Int = 1) {
      guard limit.acquire(count) else { return nil }
      (self.limit, self.count) = (limit, count)
    }

    deinit { limit.release(count) }
  }

  extension JSONObject {
    /// The evidence in each cell of an image, from -1 to 1.
    init(overlay map: EvidenceMap) {
      let most = map.values.reduce(0) { max($0, $1.magnitude) }
      self = [
        "columns": map.columns, "rows": map.rows,
        "values": map.values.map { most > 0 ? (1000 * $0 / most).rounded() / 1000 : 0 },
      ]
    }
  }
#endif
