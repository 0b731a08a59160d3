import Cupola
import Testing

@testable import CupolaExport

@Suite("Damaged Core ML packages") struct CoreMLCorruptionTests {
  /// The fault of a package, or none.
  static func fault(_ files: [String: [UInt8]]) -> CoreMLFault? {
    do throws(CoreMLFault) { _ = try CoreMLPackage(files: files) } catch { return error }
    return nil
  }

  /// A sound package with one part of one file replaced, which must be there.
  static func damaged(
    _ path: String, _ old: [UInt8], by new: [UInt8]
  ) throws -> [String: [UInt8]] {
    var files = try CoreMLPackageTests.package().files()
    let bytes = try #require(files[path])
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: old) }, "nothing to damage")
    files[path] = bytes[..<start] + new + bytes[(start + old.count)...]
    return files
  }

  /// A sound package whose program was changed, with a manifest that says so.
  static func changed(
    _ change: (inout [MILProgram.Operation]) throws -> Void
  ) throws -> [String: [UInt8]] {
    let package = CoreMLPackageTests.package(weights: .float16)
    var (program, weights) = try MILEmitter.program(of: package.graph)
    try change(&program.operations)
    return CoreMLPackage.files(
      program, weights, CoreMLInterface(graph: package.graph), package.metadata)
  }

  @Test("A sound package has no fault")
  func sound() throws {
    #expect(Self.fault(try CoreMLPackageTests.package().files()) == nil)
    #expect(Self.fault(try Self.changed { _ in }) == nil)
  }

  // MARK: - What apps see

  @Test("Another specification version")
  func version() throws {
    let files = try Self.damaged(CoreMLPackage.Path.model, [0x08, 6], by: [0x08, 5])
    #expect(
      Self.fault(files)
        == .badModel("the model: its specification version is 5 and not 6"))
  }

  @Test(
    "Another predicted feature",
    arguments: [
      (UInt8(11), "predictedFeatureName", "classLabel"),
      (12, "predictedProbabilitiesName", "classLabel_probs"),
    ])
  func predictedFeature(field: UInt8, what: String, name: String) throws {
    let start = [field << 3 | 2, UInt8(name.utf8.count)]
    let files = try Self.damaged(
      CoreMLPackage.Path.model, start + Array(name.utf8),
      by: start + Array(name.utf8.dropLast()) + Array("X".utf8))
    #expect(
      Self.fault(files)
        == .badModel("the description: its \(what) is \"\(name.dropLast())X\" and not \"\(name)\""))
  }

  @Test("Other channels or another size of the picture")
  func picture() throws {
    let bgr = try Self.damaged(
      CoreMLPackage.Path.model, [0x08, 8, 0x10, 8, 0x18, 20], by: [0x08, 8, 0x10, 8, 0x18, 30])
    #expect(Self.fault(bgr) == .badModel("the description: the input picture is not RGB"))
    let larger = try Self.damaged(
      CoreMLPackage.Path.model, [0x08, 8, 0x10, 8, 0x18, 20], by: [0x08, 9, 0x10, 9, 0x18, 20])
    #expect(
      Self.fault(larger)
        == .badModel("the input picture has a side of 9, in the program of 8"))
  }

  @Test("Other operations than those of iOS 15")
  func opset() throws {
    let files = try Self.damaged(
      CoreMLPackage.Path.model, Array("CoreML5".utf8), by: Array("CoreML8".utf8))
    #expect(
      Self.fault(files)
        == .badModel("the program: its operations are of \"CoreML8\", not of CoreML5"))
  }

  // MARK: - The program

  @Test("An unknown operation, a missing value, a missing and an unknown parameter")
  func operations() throws {
    func fault(_ change: (inout MILProgram.Operation) -> Void) throws -> CoreMLFault? {
      Self.fault(
        try Self.changed { operations in
          let index = try #require(operations.firstIndex { $0.type == "reduce_sum" })
          change(&operations[index])
        })
    }
    let name = try #require(
      SmallGraph.make().nodes.first { $0.operation.name == "sum" }?.name)
    #expect(
      try fault { $0.type = "einsum" }
        == .badOperation(name, "\"einsum\" is no operation of exports"))
    #expect(
      try fault { $0.inputs[0].names = ["nowhere"] }
        == .badOperation(name, "no value before it is called \"nowhere\""))
    #expect(
      try fault { $0.inputs.removeAll { $0.parameter == "axes" } }
        == .badOperation(name, "its parameter axes is missing"))
    #expect(
      try fault { $0.inputs.append(.init(parameter: "z", names: ["image"])) }
        == .badOperation(name, "it has the unknown parameter z"))
    #expect(
      try fault { $0.outputs[0].kind = .tensor(.init(element: .float32, shape: [1, 2])) }
        == .badOperation(name, "its shape is declared as [1, 2], but is [1, 1]"))
    #expect(
      try fault { $0.outputs[0].kind = .tensor(.init(element: .float16, shape: [1, 1])) }
        == .badOperation(name, "it does not compute in float32"))
  }

  @Test("Too few labels, a label twice, and labels in another order")
  func labels() throws {
    func fault(_ labels: [String]) throws -> CoreMLFault? {
      Self.fault(try Self.changed { $0[$0.count - 1].classes = labels })
    }
    #expect(
      try fault(["a", "b", "c"])
        == .badOperation("classify1", "3 labels for probabilities of shape [1, 4]"))
    #expect(
      try fault(["a", "b", "c", "a"])
        == .badOperation("classify1", "a label stands there twice"))
    let files = try Self.damaged(
      CoreMLPackage.Path.model, Array("library".utf8), by: Array("yrarbil".utf8))
    #expect(Self.fault(files) == .changed(CoreMLPackage.Path.model))
  }

  // MARK: - Weights

  @Test("A constant that is said to be elsewhere, or of another shape")
  func constants() throws {
    func fault(_ change: (inout MILProgram.Constant) -> Void) throws -> CoreMLFault? {
      Self.fault(
        try Self.changed { operations in
          let index = try #require(
            operations.firstIndex { $0.constant?.type.element == .float16 })
          var constant = try #require(operations[index].constant)
          change(&constant)
          operations[index].constant = constant
          operations[index].outputs[0].kind = .tensor(constant.type)
        })
    }
    #expect(
      try fault { $0.contents = .blob(offset: 1) }
        == .badWeights("no constant begins at 1"))
    #expect(
      try fault { $0.contents = .blob(offset: -64) }
        == .badWeights("no constant begins at -64"))
    #expect(
      try fault { $0.type.shape = [3, 7] }?.message.contains("it casts no constant") == true)
  }

  @Test("weight.bin cut, longer, with a damaged record or another weight")
  func weights() throws {
    let path = CoreMLPackage.Path.weights
    var files = try CoreMLPackageTests.package().files()
    let bytes = try #require(files[path])
    func fault(_ change: (inout [UInt8]) -> Void) -> CoreMLFault? {
      var damaged = bytes
      change(&damaged)
      files[path] = damaged
      return Self.fault(files)
    }
    #expect(
      fault { $0.removeLast() }?.message.contains("the constant at") == true)
    #expect(
      fault { $0.removeLast(bytes.count - 100) }?.message.contains("the file was cut") == true)
    #expect(
      fault { $0.append(0) } == .badWeights("\(bytes.count + 1) bytes where \(bytes.count) belong"))
    #expect(fault { $0[64] = 0 } == .badWeights("no record of a constant at 64"))
    #expect(fault { $0[68] = 9 } == .badWeights("a constant of the unknown type 9 at 64"))
    #expect(fault { $0[79] = 0xFF } == .badWeights("the constant at 64 lies outside its place"))
    #expect(fault { $0[4] = 1 } == .badWeights("it does not begin as version 2 does"))
    #expect(fault { $0[200] ^= 1 } == .changed(path))
  }

  // MARK: - Files

  @Test("Files that are missing, too many, or not where the manifest says")
  func files() throws {
    let sound = try CoreMLPackageTests.package().files()
    for path in CoreMLPackage.Path.all {
      #expect(Self.fault(sound.filter { $0.key != path }) == .missingFile(path))
    }
    #expect(Self.fault(sound.merging(["more.bin": []]) { $1 }) == .unknownFile("more.bin"))
    let manifest = CoreMLPackage.Path.manifest
    let elsewhere = try Self.damaged(
      manifest, Array("CoreML/weights".utf8), by: Array("CoreML/wights".utf8))
    #expect(
      Self.fault(elsewhere) == .badManifest("it does not lead to com.apple.CoreML/weights"))
    let root = try Self.damaged(
      manifest, Array("rootModelIdentifier\": \"".utf8),
      by: Array("rootModelIdentifier\": \"0".utf8))
    #expect(Self.fault(root) == .badManifest("its rootModelIdentifier is not the model's"))
    for bytes in [[], Array("[]".utf8), [UInt8](repeating: 0x5B, count: 60_000)] {
      #expect(
        Self.fault(sound.merging([manifest: bytes]) { $1 })
          == .badManifest("not the JSON of a Core ML package"))
    }
  }

  @Test("No damaged byte is accepted, and none traps", arguments: 0..<8 as Range<UInt64>)
  func fuzz(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let sound = try CoreMLPackageTests.package(weights: .float16).files()
    for path in [CoreMLPackage.Path.model, CoreMLPackage.Path.weights] {
      let bytes = try #require(sound[path])
      for _ in 0..<100 {
        var damaged = bytes
        let index = Int.random(in: bytes.indices, using: &random)
        damaged[index] ^= UInt8.random(in: 1...255, using: &random)
        var files = sound.merging([path: damaged]) { $1 }
        #expect(Self.fault(files) != nil, "\(path), byte \(index)")
        // The same with a manifest made for it: what is accepted must compute.
        let (model, weights) = (
          try #require(files[CoreMLPackage.Path.model]),
          try #require(files[CoreMLPackage.Path.weights])
        )
        files[CoreMLPackage.Path.manifest] = CoreMLManifest(model: model, weights: weights).bytes
        guard let package = try? CoreMLPackage(files: files) else { continue }
        let side = package.graph.nodes[0].shape[1]
        let probabilities = GraphInterpreter(package.graph)
          .probabilities(of: SampleSquares.noise.image(side: side))
        #expect(probabilities.count == package.graph.labels.count)
      }
    }
  }
}
