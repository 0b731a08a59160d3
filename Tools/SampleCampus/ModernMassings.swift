enum ModernMassings {
  static func scienceBlock() -> Massing {
    var block = Massing()
    var glass = Finish(.curtain, Vector(0.07, 0.16, 0.22))
    glass.trim = Vector(0.6, 0.62, 0.64)
    glass.gloss = 0.45
    glass.door = Palette.door(width: 4, height: 3, Vector(gray: 0.05))
    var slab = Finish(.plain, Vector(gray: 0.68))
    slab.gloss = 0.03
    for floor in 0..<5 {
      let z = Double(floor) * 4.2
      block.box(4, 0, z, 34, 19, 3.8, glass)
      glass.door = .none
      block.box(4, 0, z + 3.8, 35, 20, 0.4, slab, roof: slab)
    }
    var core = Palette.concrete
    core.windows = Palette.glazing(0.8, 20, bay: 3, sill: 2.5)
    core.windows.columns = 1
    core.windows.panesY = 10
    block.box(-17.5, 0, 0, 8, 14, 26, core)
    block.box(-5, -12, 3.4, 14, 5, 0.4, slab, roof: slab)
    for x in [-11.0, 1] { block.round(.cone, x, -13.6, 0, 0.3, 3.4, slab) }
    let machine = Finish(.seams, Vector(gray: 0.4))
    block.box(2, 2, 21, 8, 6, 2.6, machine)
    block.box(13, 3, 21, 5, 5, 1.8, machine)
    return block
  }

  static func observatory() -> Massing {
    var house = Massing()
    var base = Palette.plaster(Vector(0.7, 0.69, 0.65))
    base.plinth = 0.8
    base.cornice = 0.5
    base.trim = Vector(0.32, 0.34, 0.4)
    base.windows = Palette.glazing(1.1, 2.2, bay: 3, sill: 1.6)
    base.door = Palette.door(width: 2.4, height: 3.2, Vector(0.04, 0.06, 0.16))
    house.box(0, 0, 0, 30, 13, 5, base)
    var drum = Palette.plaster(Vector(0.74, 0.73, 0.7))
    drum.windows = Palette.glazing(0.8, 1.6, bay: 4.6, sill: 6)
    drum.trim = Vector(0.32, 0.34, 0.4)
    drum.cornice = 0.6
    house.round(.cone, 0, 0, 0, 15, 9.4, drum)
    var shell = Finish(.seams, Vector(0.62, 0.64, 0.67))
    shell.gloss = 0.15
    shell.door = Openings(
      kind: .void, width: 2, height: 7, bay: 3, floor: 99, sill: 0.3, columns: 1, trim: 0.25,
      frame: Vector(gray: 0.35))
    house.round(.dome, 0, 0, 9.4, 15.6, 7.6, shell)
    house.round(.cone, -11.5, 0, 5, 5, 2, drum)
    var small = Finish(.seams, Vector(0.6, 0.62, 0.66))
    small.gloss = 0.15
    house.round(.dome, -11.5, 0, 7, 5.3, 2.7, small)
    house.box(0, -7.4, 0, 7, 2.4, 0.5, Palette.concrete)
    return house
  }

  static func palmHouse() -> Massing {
    var house = Massing()
    var glass = Finish(.curtain, Vector(0.16, 0.27, 0.2))
    glass.trim = Vector(0.72, 0.76, 0.72)
    glass.gloss = 0.22
    var foot = Palette.brick()
    foot.cornice = 0.2
    for side in [-18.0, 18] {
      house.box(side, 0, 0, 18, 11, 1, foot)
      house.box(side, 0, 1, 17.6, 10.6, 3, glass)
      house.vault(side, 0, 4, length: 17.6, span: 10.6, 4.2, glass)
    }
    house.round(.cone, 0, 0, 0, 19, 1, foot)
    var drum = glass
    drum.door = Palette.door(width: 2.4, height: 3.2, Vector(0.5, 0.52, 0.48), head: .arch)
    house.round(.cone, 0, 0, 0.9, 18.6, 6.6, drum)
    let rib = Finish(.plain, Vector(0.72, 0.76, 0.72))
    house.round(.cone, 0, 0, 7.5, 19, 0.5, rib)
    house.round(.dome, 0, 0, 8, 18.4, 7.4, glass)
    house.round(.cone, 0, 0, 14.9, 3.6, 1.7, glass)
    house.round(.dome, 0, 0, 16.6, 3.8, 1.6, rib)
    house.box(0, -10, 0, 4.6, 3.2, 3.6, glass)
    house.vault(0, -10, 3.6, length: 4.6, span: 3.4, 1.4, glass)
    return house
  }

  static func ovalArena() -> Massing {
    var arena = Massing()
    let concrete = Vector(0.5, 0.48, 0.44)
    var lower = Palette.plaster(concrete)
    lower.windows = Openings(
      kind: .void, head: .arch, width: 3, height: 4.4, bay: 4.4, floor: 5.8, sill: 0, rows: 1,
      trim: 0.3, frame: concrete * 1.2)
    lower.cornice = 0.7
    arena.round(.cone, 0, 0, 0, 62, 5.8, lower, depth: 46)
    var second = lower
    second.windows.height = 3.6
    second.windows.sill = 0.6
    arena.round(.cone, 0, 0, 5.8, 60, 5.4, second, depth: 44.4)
    var rim = Finish(.panels, Vector(0.06, 0.15, 0.4))
    rim.trim = Vector(gray: 0.7)
    rim.cornice = 0.4
    arena.round(.cone, 0, 0, 11.2, 60, 3.2, rim, depth: 44.4, taper: -0.06)
    let steel = Finish(.plain, Vector(gray: 0.45))
    var floodlight = Finish(.panels, Vector(gray: 0.7))
    floodlight.lamp = 1.5
    for mast in [(-20.0, -14.0), (20, -14), (-20, 14), (20, 14)] {
      arena.round(.cone, mast.0, mast.1, 10, 0.8, 18, steel, taper: 0.4)
      arena.box(mast.0, mast.1, 28, 4.4, 0.6, 2.6, floodlight)
    }
    return arena
  }
}
