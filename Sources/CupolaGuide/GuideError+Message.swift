internal import CupolaSupport

extension GuideError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .file(let error): error.message
    case .noGuide(let path):
      "\(VisibleText.line(path)): no guide, which is a folder with guide.json; "
        + "cupola guide build makes one of maps"
    case .badManifest(let path, let problem):
      "\(VisibleText.line(path)): not a usable guide: \(VisibleText.line(problem)); "
        + "build the guide again, or copy it again"
    case .newerFormat(let format):
      "a guide of the format \(VisibleText.line(format)), which this version does not know; "
        + "update the program, or build the guide with this version"
    case .wrongPart(let path, let name):
      "\(VisibleText.line(path)): the part \(VisibleText.line(name)) is not what guide.json says; "
        + "update the guide, or copy it again"
    case .partTooLarge(let name, let bytes, let limit):
      "\(VisibleText.line(name)): \(bytes) bytes, more than the \(limit >> 20) MB accepted of a "
        + "part; build the guide of smaller maps"
    case .tooManyValues(let part, let limit):
      "\(VisibleText.line(part)): more than \(limit) values, with which nobody could read it; "
        + "build the guide of smaller maps"
    case .inTheWay(let path):
      "\(VisibleText.line(path)): no guide stands there, and it is not replaced; name another folder"
    case .busy(let path):
      "\(VisibleText.line(path)): another program is changing this guide; try again when it is done"
    case .fetchFailed, .downloadTooLarge, .downloadTooSmall, .wrongDownload, .canceled:
      updateMessage
    case .badFeed(let path, let problem), .badTour(let path, let problem),
      .badJournal(let path, let problem):
      "\(VisibleText.line(path)): \(VisibleText.line(problem))"
    case .noTimetable:
      "this guide has no timetable; build it with --gtfs and the feed of the bus company"
    case .unknownStop(let text):
      "no stop fits \"\(VisibleText.line(text))\"; cupola guide stops lists what there is"
    case .passkeyRefused: "this passkey opens nothing; ask who gave it to you for another"
    case .badPart, .nothingNear, .noWay, .unknownPlace, .nothingOpen: wayMessage
    }
  }

  /// The same of updates.
  private var updateMessage: String {
    switch self {
    case .fetchFailed(let part, let problem):
      "\(VisibleText.line(part)): cannot fetch it: \(VisibleText.line(problem)); try again later"
    case .downloadTooLarge(let part, let limit):
      "\(VisibleText.line(part)): more was sent than the \(limit) bytes expected; "
        + "correct what is published, or try again later"
    case .downloadTooSmall(let part):
      "\(VisibleText.line(part)): less was sent than expected; try again, which goes on from there"
    case .wrongDownload(let part):
      "\(VisibleText.line(part)): what was sent is not what was asked for; "
        + "correct what is published, or try again later"
    case .canceled: "the update was canceled; the guide is as it was"
    default: ""
    }
  }

  /// The same of places and ways.
  private var wayMessage: String {
    switch self {
    case .badPart(let name, let problem):
      "\(VisibleText.line(name)): not a usable part of a guide: \(VisibleText.line(problem)); "
        + "build the guide again"
    case .nothingNear(let place):
      "\(VisibleText.line(place)): no way of this mode is near; see cupola guide check"
    case .noWay(let from, let to):
      "no way leads from \(VisibleText.line(from)) to \(VisibleText.line(to)); "
        + "see cupola guide check"
    case .unknownPlace(let text):
      "no place fits \"\(VisibleText.line(text))\"; cupola guide poi lists what there is"
    case .nothingOpen(let text):
      "no \"\(VisibleText.line(text))\" is open then; leave out --open"
    default: ""
    }
  }
}
