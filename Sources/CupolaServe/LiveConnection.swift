#if Serve
  internal import Cupola
  internal import CupolaTraining

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  // 1. Run each message of a page in the frame pool, in the order of arrival.
  // 2. Read messages: position, heading, and requests to explain or save frames.
  // 3. Recognize each frame, using earlier frames too, and explain some frames.
  // 4. Save a frame as a training photo if the page requests it.

  final class LiveConnection: Sendable {
    private let session: Locked<LiveSession>
    private let pool: FramePool
    private let share = FramePool.Share()

    /// The page's frames have 20 to 150 kB. Decoding larger ones can take ten times as long.
    private static let mostUsualBytes = 200_000

    init(_ recognizer: Recognizer, _ collector: FrameCollector?, pool: FramePool = .shared) {
      session = Locked(LiveSession(recognizer, collector))
      self.pool = pool
    }

    func answer(to text: [UInt8]) async -> JSONObject? {
      await pool.run(for: share) { [session] in session.withLock { $0.answer(to: text) } }
    }

    func answer(toFrame jpeg: [UInt8]) async -> JSONObject {
      await pool.run(for: share, isLong: jpeg.count > Self.mostUsualBytes) { [session] in
        session.withLock { $0.answer(toFrame: jpeg) }
      }
    }
  }

  /// What a page has sent so far.
  struct LiveSession: Sendable {
    private let recognizer: Recognizer
    private let collector: FrameCollector?
    private var live: LiveRecognizer
    private var position: Position?
    private var heading: Heading?
    private var showsOverlay = false
    private var overlay: JSONObject?
    private var lastFrame: [UInt8] = []
    private let start = ContinuousClock.now

    static let mostBytes = 1_000_000
    /// Limits that keep a frame's processing time short. The page sends 640 x 480 pixels; this is enough for 1080p.
    private static let (mostPixels, mostScans) = (2 << 20, 16)
    /// The number of frames between overlays, which take longer to compute than answers.
    private static let overlayPeriod = 5

    init(_ recognizer: Recognizer, _ collector: FrameCollector?) {
      self.recognizer = recognizer
      self.collector = collector
      live = LiveRecognizer(recognizer)
    }

    mutating func answer(to text: [UInt8]) -> JSONObject? {
      switch LiveMessage(text) {
      case .place(let position, let heading): (self.position, self.heading) = (position, heading)
      case .overlay(let isOn):
        showsOverlay = isOn
        overlay = nil
      case .forget:
        live.reset()
        overlay = nil
      case .keep(let label): return keep(label)
      case nil: return Self.error("invalid message", about: "message")
      }
      return nil
    }

    private func keep(_ label: String) -> JSONObject {
      guard let collector else {
        return Self.error("the server does not save frames; start it with --collect", about: "keep")
      }
      guard !lastFrame.isEmpty else {
        return Self.error("there is no frame to save yet", about: "keep")
      }
      let label = FrameCollector.folder(of: label, in: recognizer.model)
      do throws(FrameCollector.SaveError) {
        let count = try collector.keep(lastFrame, label: label)
        return ["type": "kept", "label": label, "photos": count]
      } catch {
        return Self.error(error.message, about: "keep")
      }
    }

    mutating func answer(toFrame jpeg: [UInt8]) -> JSONObject {
      // If this frame is rejected, "keep" must not save the previous frame, which might show something else.
      lastFrame = []
      guard jpeg.count <= Self.mostBytes else {
        return Self.error("the frame is too large", about: "frame")
      }
      // Other formats take longer to decode.
      guard PhotoFormat(of: jpeg) == .jpeg else {
        return Self.error("the frame is not a JPEG image", about: "frame")
      }
      let began = ContinuousClock.now
      do throws(CupolaError) {
        var decoder = recognizer.decoder
        (decoder.maximumPixels, decoder.maximumScans) = (Self.mostPixels, Self.mostScans)
        let image = try recognizer.model.recipe.decode(try decoder.open(jpeg))
        let decoded = ContinuousClock.now
        let answer = try live.update(
          image, at: position, heading: heading, time: (decoded - start).milliseconds / 1000)
        let end = ContinuousClock.now
        if collector != nil { lastFrame = jpeg }
        updateOverlay(image, answer)
        return message(
          answer,
          milliseconds: [
            "decode": (decoded - began).milliseconds,
            "recognize": (end - decoded).milliseconds,
          ])
      } catch {
        guard case .truncatedPhoto(let format, let what) = error else {
          return Self.error(error.message, about: "frame")
        }
        return Self.error(
          "incomplete \(format.name): \(what); send the frame again", about: "frame")
      }
    }

    private mutating func updateOverlay(_ image: RGBImage, _ answer: LiveAnswer) {
      guard showsOverlay, answer.verdict != .notOnCampus else {
        overlay = nil
        return
      }
      guard overlay == nil || live.frames % Self.overlayPeriod == 0 else { return }
      let label = answer.label ?? answer.frameLabel
      guard let map = try? Explainer(model: recognizer.model).explain(image, label: label).map
      else {
        overlay = nil
        return
      }
      overlay = JSONObject(overlay: map)
    }

    private func message(_ answer: LiveAnswer, milliseconds: JSONObject) -> JSONObject {
      let campus = recognizer.model.campus
      let candidates = live.candidates()
      let text = answer.text(in: campus, candidates: candidates)
      return [
        "type": "answer", "schema": "cupola.live/1", "frame": live.frames,
        "title": text.title, "detail": text.detail, "verdict": answer.verdict,
        "label": answer.label, "building": answer.building,
        "probability": answer.probability, "frame_label": answer.frameLabel,
        "frame_probability": answer.frameProbability,
        "candidates": candidates.map { candidate -> JSONObject in
          [
            "label": candidate.label,
            "name": campus?.building(labeled: candidate.label)?.name ?? candidate.label,
            "probability": candidate.probability,
          ]
        },
        "hint": answer.hint, "fence": answer.fence, "overlay": overlay,
        "milliseconds": milliseconds,
      ]
    }

    private static func error(_ text: String, about subject: String) -> JSONObject {
      ["type": "error", "message": text, "about": subject]
    }
  }

  enum LiveMessage: Equatable {
    case place(Position?, Heading?)
    case overlay(Bool)
    case keep(label: String)
    case forget

    private struct Fields: Decodable {
      var type: String
      var latitude: Double?
      var longitude: Double?
      var accuracy: Double?
      var heading: Double?
      var reference: Heading.Reference?
      var on: Bool?
      var label: String?
    }

    init?(_ text: [UInt8]) {
      guard text.count <= 10_000,
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(text))
      else { return nil }
      switch fields.type {
      case "place":
        let heading = fields.heading.flatMap {
          Heading(degrees: $0, reference: fields.reference ?? .trueNorth)
        }
        self = .place(Self.position(fields), heading)
      case "overlay": self = .overlay(fields.on ?? false)
      case "keep":
        guard let label = fields.label else { return nil }
        self = .keep(label: label)
      case "forget": self = .forget
      default: return nil
      }
    }

    private static func position(_ fields: Fields) -> Position? {
      guard let latitude = fields.latitude, let longitude = fields.longitude else { return nil }
      return Position(
        latitude: latitude, longitude: longitude, horizontalError: fields.accuracy)
    }
  }
#endif
