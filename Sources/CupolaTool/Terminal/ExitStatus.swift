import ArgumentParser
import Cupola
import CupolaExport
import CupolaGuide
import CupolaTraining

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Map an error to its exit code, after sysexits.h.
// 2. Print it as one line that names the file.

enum ExitStatus {
  static let someFailed = ExitCode(1)
  static let gateFailed = ExitCode(2)
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let cannotWrite = ExitCode(73)
  static let inputOutput = ExitCode(74)

  static func code(of error: any Error) -> ExitCode {
    switch error {
    case CupolaError.file(let file), TrainingError.file(let file), ExportError.file(let file),
      GuideError.file(let file), MapReadError.unreadable(let file):
      code(of: file)
    case FileError.cannotRead(_, let code):
      [ENOENT, EACCES, EPERM, EISDIR, ENOTDIR, ELOOP, EINVAL].contains(code)
        ? noInput : inputOutput
    case FileError.notAFile, FileError.nameNotUTF8: noInput
    case FileError.cannotWrite, FileError.notReplaceable, FileError.noFolder: cannotWrite
    case FileError.tooLarge, is CampusError, is MapFile.Failure: badData
    case CupolaError.unknownLabel, CupolaError.noOtherLabel: .validationFailure
    case CupolaError.missingLibrary, TrainingError.unusable(.missingLibrary): inputOutput
    case is CupolaError: badData
    case is ValidationError: .validationFailure
    case TrainingError.nothingFound, ExportError.noExport: noInput
    case ExportError.inTheWay, TrainingError.blocked, is JournalExportFolder.InTheWay: cannotWrite
    case ExportError.model(let error): code(of: error)
    case GuideError.noGuide: noInput
    case GuideError.inTheWay, GuideError.busy: cannotWrite
    case GuideError.unknownPlace, GuideError.nothingOpen, GuideError.unknownStop:
      .validationFailure
    case GuideError.nothingNear, GuideError.noWay, GuideError.passkeyRefused: someFailed
    case GuideError.fetchFailed, GuideError.canceled: inputOutput
    case is TrainingError, is ExportError, is GuideError, is MapReadError: badData
    default: inputOutput
    }
  }

  /// Runs a part of a command's work; an error becomes one line on stderr and its exit code.
  static func reporting<Result>(
    about subject: String?, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch { throw told(error, about: subject) }
  }

  /// Tells an error and returns its code.
  static func told(_ error: any Error, about subject: String? = nil) -> any Error {
    // Codes of errors that were told already, and help that was asked for.
    if error is ExitCode || CupolaTool.exitCode(for: error).isSuccess { return error }
    Console.error(line(error, about: subject))
    return code(of: error)
  }

  static func line(_ error: any Error, about subject: String?) -> String {
    switch error {
    case CupolaError.file(let file), TrainingError.file(let file), ExportError.file(let file),
      GuideError.file(let file), MapReadError.unreadable(let file):
      line(file, about: subject)
    case ExportError.model(let error): line(error, about: subject)
    case FileError.cannotRead, FileError.cannotWrite, FileError.notAFile,
      FileError.nameNotUTF8, FileError.notReplaceable, FileError.noFolder,
      CupolaError.unknownLabel, CupolaError.noOtherLabel, CupolaError.missingLibrary,
      is TrainingError, ExportError.inTheWay, ExportError.noExport:
      "\(error)"
    default: subject.map { "\($0): \(error)" } ?? "\(error)"
    }
  }
}
