#if os(Linux)
  import CupolaTestSupport
  import Testing

  @Suite("Scripts/fuzz") struct FuzzScriptTests {
    private static func clone(fuzzer: String) throws -> ScriptFolder {
      let clone = try ScriptFolder(scripts: ["Scripts/fuzz", "Scripts/requirements.sh"])
      try clone.folder.touch("a clone/Tests/Fuzz/Corpus/json/empty")
      let source = "a clone/Sources/CupolaCampus/Word.swift"
      try clone.folder.write("let word = \"word\"\n", to: source)
      try clone.program("#!/bin/sh\n\(fuzzer)\n", "a clone/programs/Fuzz")
      return clone
    }

    @Test("SwiftPM gives its commands in one order, whatever it hashes; the fuzzer hashes as ever")
    func order() throws {
      let clone = try Self.clone(
        fuzzer: #"[ -z "${SWIFT_DETERMINISTIC_HASHING+set}" ] && echo "Done 5 runs in 1 second""#)
      let output = try clone.run("Scripts/fuzz", ["1", "json"])
      #expect(output.status == 0, "\(output.stderr)")
      #expect(output.stdout.contains("json"))
      #expect(clone.hashing == ["1"])
    }

    @Test("A fuzzer that does not run to its end is no success")
    func failing() throws {
      let clone = try Self.clone(fuzzer: "echo no memory for shadows; exit 1")
      let output = try clone.run("Scripts/fuzz", ["1", "json"])
      #expect(output.status == 1)
      #expect(output.stderr.contains("json did not run to its end"), "\(output.stderr)")
    }

    @Test("Less than a second, which libFuzzer takes for no end, is refused")
    func noTime() throws {
      for minutes in ["0", "0.01"] {
        let clone = try Self.clone(fuzzer: "exit 0")
        let output = try clone.run("Scripts/fuzz", [minutes, "json"])
        #expect(output.status == 2)
        #expect(output.stderr.contains("less than a second"), "\(output.stderr)")
        #expect(clone.hashing.isEmpty)
      }
    }
  }
#endif
