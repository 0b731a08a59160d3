import Cupola

/// `README.md` of an export: what is there, and code to paste.
struct ExportGuide {
  private let format: ExportFormat
  private let notes: ExportNotes
  private let decision: GuideDecision

  init(_ model: Model, _ format: ExportFormat, _ notes: ExportNotes) {
    (self.format, self.notes) = (format, notes)
    decision = GuideDecision(model)
  }

  var file: ExportFile { ExportFile(path: "README.md", bytes: Array(text.utf8)) }

  private var text: String {
    ([head, format.guide(decision)] + [answers, tail]).joined(separator: "\n\n") + "\n"
  }

  private var head: String {
    """
    # Campus recogniser

    Made by `cupola export --format \(format.rawValue)`, version \(cupolaVersion). From the pixels of a photo to the
    probabilities of \(decision.labelCount) labels; label 0, `\(Graph.notACampusBuilding)`, is everything that is no
    building of the campus. Features, temperature and labels are inside.

    | file | |
    |---|---|
    | \(format.fileNote) |
    | `campus.geojson` | the grounds and the catalogue of buildings\(notes.campus == nil ? "; this model has none" : "") |
    | `golden` | three pictures of the model's size, and the probabilities that a device must give |
    | `export.json` | labels, thresholds, input, and the SHA-256 of every file |

    `cupola verify FOLDER MODEL` checks all of it without any other tool.
    """
  }

  private var answers: String {
    """
    ## How to decide

    1. Where a position is known and outside the grounds of `campus.geojson`: "Not on Campus". Do not look at the photo.
    2. `p[0]` is the probability of no building, `best` the greatest of the others. If
       `log(best / p[0]) < \(decision.leastOdds)`: "Not a Campus Building".
    3. `share = best / (1 - p[0])`. From \(decision.leastShare) on it is that building; where the two best have it together it
       is "Unsure" between them, else "Not a Campus Building".
    """
  }

  private var tail: String {
    """
    ## What goes wrong elsewhere

    - Orientation: turn photos upright by their EXIF orientation first. A photo that lies on its side is as good as unknown.
    - Geometry: \(decision.geometry.guide). The model was trained for that.
    - Samples are 0 to 255, red first. Do not scale them or subtract a mean.
    - Any decent resampler will do, best an averaging one; nearest neighbour costs accuracy.
    """
  }
}

/// The numbers that a guide's code needs.
struct GuideDecision {
  let side: Int
  let geometry: Geometry
  let labelCount: Int
  let leastOdds: String
  let leastShare: String

  init(_ model: Model) {
    let point = OperatingPoint(model.calibration)
    side = model.recipe.inputSide
    geometry = model.recipe.geometry
    labelCount = model.labels.buildings.count + 1
    leastOdds = Self.text(point.leastOdds)
    leastShare = Self.text(max(0, point.leastShare))
  }

  private static func text(_ number: Double) -> String {
    String(decoding: JSONWriter.bytes(of: .number(number)), as: UTF8.self)
  }
}

extension Geometry {
  /// What an app does with a photo.
  var guide: String {
    switch self {
    case .squash:
      "stretch the whole photo to the square (scale to fill); neither crop it nor add borders"
    case .centreCrop: "cut out the largest centred square, then resize it"
    case .window(let window):
      "cut out the part \(window.width) % wide and \(window.height) % high from \(window.left) % from the left and "
        + "\(window.top) % from the top, then stretch it to the square"
    }
  }
}
