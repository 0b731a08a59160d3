#if Serve
  internal import Cupola
  internal import CupolaTraining

  /// One page: takes its frames and messages, one after the other, and says the answers.
  actor LiveConnection {
    private let recognizer: Recognizer
    private let collector: FrameCollector?
    private var live: LiveRecognizer
    private var position: Position?
    private var heading: Heading?
    private var showsOverlay = false
    private var overlay: JSONObject?
    private var lastFrame: [UInt8] = []
    private let start = ContinuousClock.now

    /// Bytes that a picture may have.
    static let mostBytes = 1_000_000
    /// Frames from one overlay to the next: they cost more than an answer.
    private static let overlayPeriod = 5

    init(_ recognizer: Recognizer, _ collector: FrameCollector?) {
      self.recognizer = recognizer
      self.collector = collector
      live = LiveRecognizer(recognizer)
    }

    /// What is to be said to a message; `nil` is nothing.
    func answer(to text: [UInt8]) -> JSONObject? {
      switch LiveMessage(text) {
      case .place(let position, let heading): (self.position, self.heading) = (position, heading)
      case .overlay(let isOn):
        showsOverlay = isOn
        overlay = nil
      case .forget:
        live.reset()
        overlay = nil
      case .keep(let label): return keep(label)
      case nil: return Self.error("that is no message of the page", about: "message")
      }
      return nil
    }

    private func keep(_ label: String) -> JSONObject {
      guard let collector else {
        return Self.error("this server keeps no frames; see --collect", about: "keep")
      }
      guard !lastFrame.isEmpty else {
        return Self.error("there is no frame to keep yet", about: "keep")
      }
      let label = folder(of: label)
      do throws(FrameCollector.Refusal) {
        let count = try collector.keep(lastFrame, label: label)
        return ["type": "kept", "label": label, "photos": count]
      } catch {
        switch error {
        case .badLabel:
          return Self.error(
            "a label has 1 to 100 letters, digits, spaces, and _ - . ' ( )", about: "keep")
        case .ownLabel:
          return Self.error(
            "\(label): Cupola keeps this label for itself; choose another one", about: "keep")
        case .file(let error): return Self.error("\(error)", about: "keep")
        }
      }
    }

    /// The folder for photos of a label: that of OpenStreetMap's `way/101` is called as the building is, by which training
    /// joins both.
    private func folder(of label: String) -> String {
      guard !Labels.isFolderName(label) else { return label }
      return recognizer.model.campus?.building(labeled: label)?.name ?? label
    }

    /// The answer to a frame.
    func answer(toFrame jpeg: [UInt8]) -> JSONObject {
      // Who keeps a frame that was refused must not get the one before, which may show something else.
      lastFrame = []
      guard jpeg.count <= Self.mostBytes else {
        return Self.error("the frame is too large", about: "frame")
      }
      let began = ContinuousClock.now
      do throws(CupolaError) {
        var decoder = recognizer.decoder
        // What a page sends is small; a picture of 100 megapixels is none of its.
        decoder.limits.pixels = 16_000_000
        let image = try recognizer.model.recipe.decode(try decoder.open(jpeg))
        let decoded = ContinuousClock.now
        let answer = try live.update(
          image, at: position, heading: heading, time: (decoded - start).milliseconds / 1000)
        let end = ContinuousClock.now
        lastFrame = jpeg
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
        return Self.error("incomplete \(format.name): \(what); send the frame anew", about: "frame")
      }
    }

    private func updateOverlay(_ image: RGBImage, _ answer: LiveAnswer) {
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
      let most = map.values.reduce(0) { max($0, $1.magnitude) }
      overlay = [
        "columns": map.columns, "rows": map.rows,
        "values": map.values.map { most > 0 ? (1000 * $0 / most).rounded() / 1000 : 0 },
      ]
    }

    private func message(_ answer: LiveAnswer, milliseconds: JSONObject) -> JSONObject {
      let campus = recognizer.model.campus
      return [
        "type": "answer", "schema": "cupola.live/1", "frame": live.frames,
        "verdict": answer.verdict, "label": answer.label, "building": answer.building,
        "probability": answer.probability, "frame_label": answer.frameLabel,
        "frame_probability": answer.frameProbability,
        "candidates": live.candidates().map { candidate -> JSONObject in
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

    /// - Parameter subject: what went wrong: `frame`, `keep` or `message`.
    private static func error(_ text: String, about subject: String) -> JSONObject {
      ["type": "error", "message": text, "about": subject]
    }
  }
#endif
