internal import CupolaGuide
internal import CupolaSupport

/// Texts of a tour as they are shown.
struct TourWords {
  let tour: Tour
  let language: String?

  init(_ tour: Tour, _ language: String?) { (self.tour, self.language) = (tour, language) }

  var tourTitle: String { VisibleText.line(tour.text(tour.title, in: language)) }

  func title(_ stop: String) -> String {
    VisibleText.line(tour.stop(stop).map { tour.text($0.title, in: language) } ?? stop)
  }

  func question(_ stop: String, _ question: String) -> TourQuestion? {
    tour.stop(stop)?.questions.first { $0.id == question }
  }

  func text(_ text: LocalizedText) -> String { VisibleText.lines(tour.text(text, in: language)) }

  func joined(_ sentence: String, _ text: LocalizedText?) -> String {
    text.map { sentence + " " + self.text($0) } ?? sentence
  }
}
