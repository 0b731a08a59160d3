import Cupola
import Testing

@testable import CupolaExport

@Suite("Errors of exports") struct ExportErrorTests {
  private struct Odd: Error, CustomStringConvertible {
    let description = "the disk is made of cheese"
  }

  private static func wrapped(_ cause: any Error) -> ExportError? {
    do throws(ExportError) {
      try ExportError.wrapping { () throws -> Void in throw cause }
      return nil
    } catch {
      return error
    }
  }

  @Test("What nobody expected says what it is, and blames no guide")
  func unexpected() {
    let error = Self.wrapped(Odd())
    #expect(error == .unexpected("the disk is made of cheese"))
    #expect(error?.message == "cannot be exported: the disk is made of cheese; please tell us")
  }

  @Test("Errors of models, files and exports stay what they are")
  func known() {
    let model = CupolaError.badModel(.wrongDigest)
    let file = FileError.noFolder(path: "a/b", folder: "a")
    #expect(Self.wrapped(model) == .model(model))
    #expect(Self.wrapped(file) == .file(file))
    #expect(Self.wrapped(ExportError.retrieval) == .retrieval)
  }
}
