import CupolaTestSupport
import Foundation
import Testing

#if os(Linux)
  @Suite("Debian package") struct PackageScriptTests {
    @Test("A missing package is reported before Debian is installed")
    func missing() throws {
      let clone = try ScriptFolder(scripts: ["Scripts/verifying/package"])
      let output = try clone.run("Scripts/verifying/package", ["cupola_0_amd64.deb"])
      #expect(output.status == 66)
      #expect(output.stderr.contains("no package cupola_0_amd64.deb"), "\(output.stderr)")
    }

    @Test("A failed Debian installation leaves no files")
    func failing() throws {
      let clone = try ScriptFolder(scripts: ["Scripts/verifying/package"])
      try clone.folder.touch("cupola.deb", "temporary/kept")
      try clone.program("#!/bin/sh\necho 0\n", "bin/id")
      try clone.program(
        "#!/bin/sh\nmkdir \"$3/proc\"\necho no mirror\nexit 1\n", "bin/debootstrap")
      let temporary = clone.folder.path("temporary")
      let output = try clone.run(
        "Scripts/verifying/package", ["cupola.deb", "bookworm"], environment: ["TMPDIR": temporary])
      #expect(output.status == 1)
      #expect(output.stderr == "no mirror\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == ["kept"])
    }

    @Test("Licenses of all dependencies are collected, or an error occurs")
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

    @Test("Missing libraries prevent the package")
    func unknownLibraries() throws {
      let clone = try ScriptFolder(scripts: ["Packaging/debian", "Packaging/project.conf"])
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

@Suite("Packaging/project.conf") struct ProjectScriptTests {
  private static let documents = ["README.md", "Documentation/Swift.md", "CITATION.cff"]

  @Test("One edit changes the addresses in all documents")
  func owner() throws {
    let conf = "Packaging/project.conf"
    let clone = try ScriptFolder(scripts: Self.documents + [conf, "Packaging/project"])
    let before = try clone.folder.contents()
    #expect(try clone.run("Packaging/project", ["--check"]).status == 0)
    #expect(try clone.run("Packaging/project", []).stdout.isEmpty)
    #expect(try clone.folder.contents() == before)

    let text = String(decoding: try clone.folder.bytes("a clone/" + conf), as: UTF8.self)
    let changed = text.replacing(/owner=.*/, with: "owner=ada-l", maxReplacements: 1)
    try clone.folder.write(changed, to: "a clone/" + conf)
    let check = try clone.run("Packaging/project", ["--check"])
    #expect(check.status == 1 && check.messages.count == 3, "\(check.stderr)")
    #expect(try clone.run("Packaging/project", []).status == 0)
    #expect(try clone.run("Packaging/project", ["--check"]).status == 0)
    for name in Self.documents {
      let text = String(decoding: try clone.folder.bytes("a clone/" + name), as: UTF8.self)
      #expect(text.contains("https://github.com/ada-l/cupola"), "\(name)")
      #expect(!text.contains("OWNER"), "\(name)")
    }
  }
}

@Suite("Scripts/install") struct InstallScriptTests {
  private static func clone() throws -> ScriptFolder {
    let clone = try ScriptFolder(scripts: [
      "Scripts/install", "Scripts/support/manual", "Scripts/support/common.sh",
    ])
    try clone.program("#!/bin/sh\necho 0.0.0\n", "a clone/programs/cupola")
    let page = #"for last; do :; done; echo page >"$last/cupola.1""#
    try clone.program("#!/bin/sh\n\(page)\n", "a clone/programs/generate-manual")
    return clone
  }

  @Test("Installs from another folder into a path with blanks")
  func prefix() throws {
    let clone = try Self.clone()
    try clone.folder.touch("the place/share/man/man1/cupola.gone.1")
    let output = try clone.run("Scripts/install", ["--jpeg-only", "--prefix", "the place"])
    #expect(output.status == 0, "\(output.stderr)")
    let place = clone.folder.path("the place")
    let files = try FileManager.default.subpathsOfDirectory(atPath: place).filter {
      $0.contains("cupola")
    }
    #expect(
      files.sorted() == [
        "bin/cupola", "share/bash-completion/completions/cupola",
        "share/fish/vendor_completions.d/cupola.fish", "share/man/man1/cupola.1",
        "share/zsh/site-functions/_cupola",
      ])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: clone.folder.path("a clone/programs"))
        .count == 2)
    #expect(clone.hashing == ["1"])
  }

  @Test("An empty prefix is rejected")
  func noPrefix() throws {
    let clone = try Self.clone()
    #expect(try clone.run("Scripts/install", ["--prefix="]).status == 64)
    #expect(clone.hashing.isEmpty)
  }
}

@Suite("Manual pages") struct ManualTests {
  private static let script = Repository.root.appending(path: "Scripts/support/manual")

  /// Runs the script with a generator that handles characters like swift-argument-parser.
  private static func run(_ help: String, in folder: TemporaryFolder) throws -> Tool.Output {
    let generator = #"""
      "$1" --experimental-dump-help >"$4.json" || exit 1
      LC_ALL=C tr -d '\200-\377' <"$4.json" | sed 's/\\/\\e/g' >"$4/cupola.1"
      """#
    try FileManager.default.createDirectory(
      atPath: folder.path("the pages"), withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = script
    process.arguments = [
      try folder.write(program: "#!/bin/sh\n\(help)\n", to: "a command"),
      try folder.write(program: "#!/bin/sh\n\(generator)\n", to: "generator"),
      folder.path("the pages"),
    ]
    return try Tool.output(of: process)
  }

  @Test("Letters outside ASCII use groff names")
  func letters() throws {
    let folder = try TemporaryFolder()
    let output = try Self.run(
      #"[ "$1" = --experimental-dump-help ] && printf '%s\n' '\ to café 🎓'"#, in: folder)
    #expect(output.status == 0, "\(output.stderr)")
    let page = String(decoding: try folder.bytes("the pages/cupola.1"), as: UTF8.self)
    #expect(page == #"\e to caf\[u00E9] \[u1F393]"# + "\n")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path("the pages"))
    #expect(pages == ["cupola.1"])
  }

  @Test("A failing command has no page")
  func failing() throws {
    let folder = try TemporaryFolder()
    #expect(try Self.run("echo café; exit 3", in: folder).status != 0)
  }
}
