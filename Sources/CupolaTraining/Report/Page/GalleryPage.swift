package import Cupola

// Every classified photo with its answer, as a page and as a table.
// 1. Keep the answer of each photo, and a small image without metadata (`GalleryPhoto`).
// 2. Group the photos by answer, and render them with the styles of the report (`GalleryPage`).
// 3. List the same answers as CSV. 4. Count the answers, for the page and for the command (`AnswerTotals`).

/// A photo of a gallery, without the candidates and pixels that a gallery does not show.
package struct GalleryPhoto: Sendable {
  let name: String
  /// `nil` for a photo that could not be read.
  let verdict: Recognition.Verdict?
  let title: String
  /// The answer, or the error, below the image.
  let note: String
  let label: String?
  let probability: Double?
  /// The most probable building that is not the answer.
  let second: Recognition.Candidate?
  /// The probability of ``second``; `nil` for a rejected photo, which does not show it either.
  private let secondProbability: Double?
  let error: String?
  let picture: ReportPictures.Embedded?
  /// The copy made by `--copy-into`, relative to its folder.
  package var copy: String?

  package init(
    _ name: String, _ result: Result<Recognition, CupolaError>,
    picture: ReportPictures.Embedded? = nil, campus: Campus?
  ) {
    self.name = name
    self.picture = picture
    switch result {
    case .failure(let failure):
      (verdict, label, probability, second, secondProbability) = (nil, nil, nil, nil, nil)
      (title, note, error) = ("Not readable", failure.problem, failure.problem)
    case .success(let answer):
      let text = answer.text(in: campus)
      second = answer.shownCandidates.first { $0.label != answer.label }
      secondProbability = answer.showsProbabilities ? second?.probability : nil
      let guess = second.map { other in
        let name = campus.name(of: other.label)
        guard answer.showsProbabilities else { return "most similar building: \(name)" }
        let start = answer.label == nil ? "first guess" : "otherwise"
        return "\(start) \(name) \(FigureText.percent(other.probability))"
      }
      (verdict, label, probability) = (answer.verdict, answer.label, answer.probability)
      (title, error) = (text.title, nil)
      // The line of an unsure answer already contains both buildings.
      note =
        answer.verdict == .unsure
        ? text.line
        : [text.detail, answer.imageNote(in: campus) ?? guess].compactMap(\.self)
          .joined(separator: "; ")
    }
  }

  /// The building that a filter finds the photo by: the answer, or otherwise the first guess.
  fileprivate var building: String? { label ?? second?.label }

  fileprivate static let columns: [Column<GalleryPhoto>] = [
    .text("photo") { $0.name }, .text("verdict") { $0.verdict?.rawValue },
    .text("answer") { $0.error == nil ? $0.title : nil }, .text("label") { $0.label },
    .share("probability") { $0.probability }, .text("other_label") { $0.second?.label },
    .share("other_probability") { $0.secondProbability }, .text("copy") { $0.copy },
    .text("error") { $0.error },
  ]
}

/// A page that shows every classified photo with its answer, and needs no other files and no network.
package struct GalleryPage: Sendable {
  /// The maximum number of photos on the page, which keeps it below about 40 MB; the table lists all photos.
  package static let mostPhotos = 5000
  /// More photos get smaller images.
  private static let mostMedium = 500

  package let model: String
  package let campus: Campus?
  package private(set) var photos: [GalleryPhoto] = []
  private let size: ReportPictures.Size
  private let note: String?

  /// - Parameters:
  ///   - note: What to know about the answers, in lower case.
  ///   - count: The number of photos; `nil` if it is unknown.
  package init(model: String, campus: Campus?, note: String? = nil, count: Int?) {
    (self.model, self.campus, self.note) = (model, campus, note)
    size = count.map { $0 <= Self.mostMedium } ?? false ? .medium : .small
  }

  /// Makes the small image of a photo; returns `nil` if it cannot be decoded.
  package var makePicture: @Sendable (Photo) -> ReportPictures.Embedded? {
    { [size] photo in ReportPictures.embedded(photo, size) }
  }

  package mutating func add(_ photo: GalleryPhoto) { photos.append(photo) }

  /// The table of all photos as CSV (RFC 4180).
  package var csv: String { Table(photos, GalleryPhoto.columns).csv }

  /// Whether bytes are the start of such a table, which may then be replaced.
  package static func isTable(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Table([GalleryPhoto](), GalleryPhoto.columns).csv.utf8)
  }

  /// The number of bytes that ``isTable(_:)`` needs.
  package static var markLength: Int {
    Table([GalleryPhoto](), GalleryPhoto.columns).csv.utf8.count
  }

  /// Renders the page.
  ///
  /// - Throws: `TrainingError.brokenReport(_:)` if a template is invalid, which no input causes.
  package func html() throws(TrainingError) -> String {
    let shown = photos.prefix(Self.mostPhotos)
    let names = BuildingNames(campus, labels: shown.compactMap(\.building))
    let groups = Dictionary(grouping: shown) { Group($0, names) }
    let sorted = groups.sorted { $0.key < $1.key }
    let verdicts = Set(groups.keys.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
    let buildings = Set(shown.compactMap(\.building)).sorted { (names[$0], $0) < (names[$1], $1) }
    return try ReportPage.rendered(
      [
        "title": "Photos classified with \(model)", "lead": lead, "style": PageStyle.text,
        "version": cupolaVersion, "script": PageScript.gallery.text,
        "scriptDigest": PageScript.gallery.digest,
        "verdicts": verdicts.map { ["value": $0.key, "word": $0.word] },
        "buildings": buildings.map { ["value": $0, "word": names[$0]] },
        "groups": sorted.enumerated().map { number, group -> ReportPage.View in
          [
            "id": "group-\(number + 1)",
            "heading": "\(group.key.title): \(FigureText.count(group.value.count, "photo"))",
            "photos": group.value.map { Self.view(of: $0, group.key) },
          ]
        },
      ], "gallery")
  }

  private var lead: String {
    var totals = AnswerTotals()
    for photo in photos { totals.add(photo.verdict) }
    let rest =
      photos.count > Self.mostPhotos
      ? " Only the first \(Self.mostPhotos) are shown; the CSV table lists all." : ""
    return totals.text + "." + rest + (note.map { " Note: \($0)." } ?? "")
  }

  private static func view(of photo: GalleryPhoto, _ group: Group) -> ReportPage.View {
    let picture = photo.picture?.view(alt: "Photo with the answer \(group.title)") ?? [:]
    let filter: ReportPage.View = [
      "verdict": group.kind.key, "building": photo.building ?? "",
    ]
    return picture.merging(["file": photo.name, "said": photo.note, "filter": filter]) { $1 }
  }
}

extension GalleryPage {
  fileprivate enum Kind: Int, CaseIterable {
    case named, byPosition, unsure, rejected, outside, unreadable

    init(_ verdict: Recognition.Verdict?) {
      self =
        switch verdict {
        case .building?: .named
        case .mappedBuilding?: .byPosition
        case .unsure?: .unsure
        case .notACampusBuilding?: .rejected
        case .notOnCampus?: .outside
        case nil: .unreadable
        }
    }

    var key: String { "\(self)" }

    var word: String {
      switch self {
      case .named: "Named"
      case .byPosition: "Named by position only"
      case .unsure: "Unsure"
      case .rejected: "Not a Campus Building"
      case .outside: "Not on Campus"
      case .unreadable: "Not readable"
      }
    }
  }

  /// The photos that got the same answer: a building, or another verdict.
  fileprivate struct Group: Hashable, Comparable {
    let kind: Kind
    let title: String

    init(_ photo: GalleryPhoto, _ names: BuildingNames) {
      kind = Kind(photo.verdict)
      // Unsure answers between any two buildings form one group.
      title =
        switch photo.verdict {
        case .unsure?, nil: kind.word
        case let verdict?: AnswerText.title(verdict, photo.label.map { [names[$0]] } ?? [])
        }
    }

    static func < (a: Group, b: Group) -> Bool {
      (a.kind.rawValue, a.title) < (b.kind.rawValue, b.title)
    }
  }
}

/// The number of photos by kind of answer. Every photo counts once.
package struct AnswerTotals: Sendable {
  package private(set) var photos = 0
  private var counts: [GalleryPage.Kind: Int] = [:]

  package init() {}

  /// - Parameter verdict: `nil` for a photo that could not be read.
  package mutating func add(_ verdict: Recognition.Verdict?) {
    photos += 1
    counts[GalleryPage.Kind(verdict), default: 0] += 1
  }

  /// For example "5 photos: 3 named, 2 not readable".
  package var text: String {
    let parts = GalleryPage.Kind.allCases.compactMap { kind in
      counts[kind].map { "\($0) \(kind.word.lowercased())" }
    }
    return "\(FigureText.count(photos, "photo")): " + parts.joined(separator: ", ")
  }
}
