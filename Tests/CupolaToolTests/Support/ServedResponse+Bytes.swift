#if Serve
  import CupolaCampus

  @testable import CupolaServe

  extension ServedResponse {
    /// The body.
    var bytes: [UInt8] {
      get throws(FileError) {
        switch body {
        case .bytes(let bytes): bytes
        case .file(let path, let range): try FileAccess.read(path, bytes: range)
        }
      }
    }
  }
#endif
