#if os(Linux)
  import CupolaTestSupport
  import Foundation
  import Testing

  @Suite("The Debian package") struct PackageScriptTests {
    @Test("A package that is not there is told before a Debian is made")
    func missing() throws {
      let clone = try ScriptFolder(scripts: ["Scripts/verify-package"])
      let output = try clone.run("Scripts/verify-package", ["cupola_0_amd64.deb"])
      #expect(output.status == 66)
      #expect(output.stderr.contains("no package cupola_0_amd64.deb"), "\(output.stderr)")
    }

    @Test("A Debian that cannot be made leaves nothing behind, and its last words")
    func failing() throws {
      let clone = try ScriptFolder(scripts: ["Scripts/verify-package"])
      try clone.folder.touch("cupola.deb", "temporary/kept")
      try clone.program("#!/bin/sh\necho 0\n", "bin/id")
      try clone.program(
        "#!/bin/sh\nmkdir \"$3/proc\"\necho no mirror\nexit 1\n", "bin/debootstrap")
      let temporary = clone.folder.path("temporary")
      let output = try clone.run(
        "Scripts/verify-package", ["cupola.deb", "bookworm"], environment: ["TMPDIR": temporary])
      #expect(output.status == 1)
      #expect(output.stderr == "no mirror\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == ["kept"])
    }

    @Test("The licenses of all that is within the program are collected, and none may be missing")
    func licenses() throws {
      let clone = try ScriptFolder(scripts: ["Packaging/licenses"])
      let pins = ["https://example.org/swift-one", "https://example.org/swift-two.git"].map {
        #"  "location" : "\#($0)","# + "\n"
      }
      try clone.folder.write(pins.joined(), to: "a clone/Package.resolved")
      try clone.folder.write("one", to: "build/checkouts/swift-one/LICENSE.txt")
      try clone.folder.write("noticed", to: "build/checkouts/swift-one/NOTICE.txt")
      try clone.folder.touch("build/checkouts/swift-two/README.md")
      try clone.folder.write("older", to: "build/checkouts/swift-old/LICENSE")
      try clone.folder.write("swift", to: "toolchain/share/swift/LICENSE.txt")
      try clone.folder.touch("toolchain/lib/swift/there")
      let resources = clone.folder.path("toolchain/lib/swift")
      try clone.program(
        "#!/bin/sh\necho '    \"runtimeResourcePath\": \"\(resources)\"'\n", "bin/swiftc")
      let missing = try clone.run("Packaging/licenses", ["build", "licenses"])
      #expect(missing.status == 1)
      #expect(missing.stderr.contains("checkouts/swift-two has no license"), "\(missing.stderr)")

      try clone.folder.write("two", to: "build/checkouts/swift-two/COPYING")
      let output = try clone.run("Packaging/licenses", ["build", "licenses"])
      #expect(output.status == 0, "\(output.stderr)")
      let found = try clone.folder.contents().filter { $0.key.hasPrefix("licenses/") }
      #expect(
        Set(found.keys.filter { !$0.hasPrefix("licenses/icu/") }) == [
          "licenses/swift-one/LICENSE.txt", "licenses/swift-one/NOTICE.txt",
          "licenses/swift-two/COPYING", "licenses/swift/LICENSE.txt",
        ])
      #expect(found["licenses/swift/LICENSE.txt"] == Data("swift".utf8))
    }

    @Test("Without the libraries that the program needs there is no package, and it says why")
    func unknownLibraries() throws {
      let clone = try ScriptFolder(scripts: ["Packaging/debian"])
      try clone.folder.touch("stage/usr/bin/cupola", "stage/usr/share/doc/cupola/CHANGELOG.md")
      try clone.program("#!/bin/sh\necho cannot find it >&2\nexit 2\n", "bin/dpkg-shlibdeps")
      try clone.program("#!/bin/sh\ntouch packed\n", "bin/dpkg-deb")
      let output = try clone.run("Packaging/debian", ["stage", "0.0.0", "amd64", "cupola.deb"])
      #expect(output.status == 1)
      #expect(output.stderr.hasPrefix("cannot find it\nerror: "), "\(output.stderr)")
      #expect(!FileManager.default.fileExists(atPath: clone.folder.path("packed")))
    }
  }
#endif
