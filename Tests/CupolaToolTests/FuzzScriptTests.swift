#if os(Linux)
  import CupolaTestSupport
  import Foundation
  import Testing

  /// `Scripts/fuzz` in a folder of its own, with a `swift` that builds nothing and a fuzzer that is a script.
  @Suite("Scripts/fuzz") struct FuzzScriptTests {
    private static func run(_ arguments: [String], fuzzer: String) throws -> (Tool.Output, String) {
      let folder = try TemporaryFolder()
      for name in ["fuzz", "requirements.sh"] {
        let script = Repository.root.appending(path: "Scripts/\(name)")
        try program(Array(try Data(contentsOf: script)), "a clone/Scripts/\(name)", in: folder)
      }
      try folder.touch("a clone/Tests/Fuzz/Corpus/json/empty")
      try folder.write("let word = \"word\"\n", to: "a clone/Sources/CupolaCampus/Word.swift")
      let swift = #"""
        #!/bin/sh
        echo "hashing: ${SWIFT_DETERMINISTIC_HASHING-}" >>built
        case "$*" in *--show-bin-path) echo "$PWD/built.programs" ;; esac
        """#
      try program(Array(swift.utf8), "bin/swift", in: folder)
      try program(Array("#!/bin/sh\n".utf8), "bin/pkg-config", in: folder)
      try program(Array("#!/bin/sh\n\(fuzzer)\n".utf8), "a clone/built.programs/Fuzz", in: folder)

      let process = Process()
      process.executableURL = URL(filePath: folder.path("a clone/Scripts/fuzz"))
      process.arguments = arguments
      process.currentDirectoryURL = URL(filePath: folder.path)
      var environment = ProcessInfo.processInfo.environment
      environment["PATH"] = folder.path("bin") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
      environment["SWIFT_DETERMINISTIC_HASHING"] = nil
      process.environment = environment
      let output = try Tool.output(of: process)
      let built = FileManager.default.contents(atPath: folder.path("a clone/built")) ?? Data()
      return (output, String(decoding: built, as: UTF8.self))
    }

    private static func program(
      _ bytes: [UInt8], _ name: String, in folder: TemporaryFolder
    ) throws {
      let path = try folder.write(bytes, to: name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }

    @Test("SwiftPM gives its commands in one order, whatever it hashes; the fuzzer hashes as ever")
    func order() throws {
      let (output, built) = try Self.run(
        ["1", "json"],
        fuzzer: #"[ -z "${SWIFT_DETERMINISTIC_HASHING+set}" ] && echo "Done 5 runs in 1 second(s)""#
      )
      #expect(output.status == 0, "\(output.stderr)")
      #expect(output.stdout.contains("json"))
      #expect(built == "hashing: 1\nhashing: 1\n")
    }

    @Test("A fuzzer that does not run to its end is no success")
    func failing() throws {
      let (output, _) = try Self.run(["1", "json"], fuzzer: "echo no memory for shadows; exit 1")
      #expect(output.status == 1)
      #expect(output.stderr.contains("json did not run to its end"), "\(output.stderr)")
    }

    @Test("Less than a second, which libFuzzer takes for no end, is refused")
    func noTime() throws {
      for minutes in ["0", "0.01"] {
        let (output, built) = try Self.run([minutes, "json"], fuzzer: "exit 0")
        #expect(output.status == 2)
        #expect(output.stderr.contains("less than a second"), "\(output.stderr)")
        #expect(built == "")
      }
    }
  }
#endif
