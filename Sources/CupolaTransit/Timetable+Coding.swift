internal import CupolaGuide
internal import CupolaSupport

extension Timetable {
  /// The timetable in few bytes; the same for the same feed, whatever the order of its rows of trips.
  package var bytes: [UInt8] { tables.bytes }

  /// Reads a timetable.
  ///
  /// - Parameter name: what the part is called in errors.
  /// - Throws: ``GuideError/badPart(name:problem:)`` whatever else the bytes are.
  init(bytes: [UInt8], name: String = "transit.bin") throws(GuideError) {
    let tables: TimetableTables
    do throws(ByteReader.Fault) {
      tables = try TimetableReader(bytes).tables
    } catch { throw .badPart(name: name, problem: error.problem) }
    switch TimetableIndex.make(tables) {
    case .success(let index): self.init(tables: tables, index: index)
    case .failure(let problem): throw .badPart(name: name, problem: problem.text)
    }
  }
}
