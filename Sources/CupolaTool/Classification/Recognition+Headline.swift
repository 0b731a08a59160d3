import Cupola
import CupolaTraining

extension Recognition {
  /// The answer in a few words, with the names that the buildings have on a campus.
  func headline(in campus: Campus?) -> String {
    switch reason {
    case .recognized:
      return "\(campus.name(of: label ?? "")) (\(FigureText.percent(probability)))"
    case .outsideGeofence:
      let place = position.map {
        Format.decimal($0.latitude, digits: 5) + "," + Format.decimal($0.longitude, digits: 5)
      }
      return "Not on Campus (\(place ?? "its position") is outside the fence)"
    case .tooClose:
      let names = candidates.prefix(2).map { candidate in
        "\(campus.name(of: candidate.label)) (\(FigureText.percent(candidate.probability)))"
      }
      return "Unsure: \(names.joined(separator: " or "))"
    case .background(let probability):
      return "Not a Campus Building (\(FigureText.percent(probability)) something else)"
    case .unknownBuilding(let probability):
      return "Not a Campus Building (\(FigureText.percent(probability)) none of those that trained)"
    case .unfamiliar(let share, let needed):
      let (best, least) = FigureText.apart(share, needed)
      return "Not a Campus Building (no building above \(best), \(least) needed)"
    case .byPlaceOnly:
      return "Probably \(campus.name(of: label ?? "")), by position"
        + (heading == nil ? " only; " : " and direction only; ") + "no photos of it trained"
    case .contradicted(let picture, let place):
      return "Unsure: the picture says \(campus.name(of: picture)), the place "
        + campus.name(of: place)
    case .noBuildings: return "Not a Campus Building (the model knows none)"
    }
  }
}
