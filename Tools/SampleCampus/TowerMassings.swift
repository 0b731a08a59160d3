enum TowerMassings {
  static func bellTower() -> Massing {
    var tower = Massing()
    var foot = Palette.stoneWall()
    foot.cornice = 0.6
    foot.door = Palette.door(width: 2.4, height: 3.6, Vector(0.12, 0.05, 0.03), head: .arch)
    tower.box(0, 0, 0, 14, 14, 5, foot)
    tower.roof(0, 0, 5, 14, 14, 1.5, leanX: 0.5, leanY: 0.5, Palette.slate)
    var shaft = Palette.brick()
    shaft.quoins = true
    shaft.windows = Palette.glazing(0.9, 2.6, bay: 3, floor: 5.2, sill: 7, rows: 2, head: .arch)
    shaft.windows.columns = 1
    shaft.upper = Openings(
      kind: .clock, head: .disc, width: 4.2, height: 4.2, bay: 5, floor: 99, sill: 20.2,
      columns: 1, trim: 0.3)
    tower.box(0, 0, 0, 8, 8, 26, shaft)
    tower.box(0, 0, 26, 9, 9, 1, Palette.stoneWall())
    var belfry = Palette.stoneWall(Vector(0.6, 0.56, 0.48))
    belfry.windows = Openings(
      kind: .void, head: .pointed, width: 1.9, height: 5.2, bay: 3, floor: 99, sill: 1,
      columns: 2, trim: 0.25)
    belfry.cornice = 0.7
    tower.box(0, 0, 27, 7.6, 7.6, 8, belfry)
    tower.roof(0, 0, 35, 8.6, 8.6, 9.5, leanX: 1, leanY: 1, Palette.copper)
    for corner in [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)] {
      tower.box(corner.0 * 3.6, corner.1 * 3.6, 35, 0.9, 0.9, 2.4, Palette.stoneWall())
    }
    return tower
  }

  static func gateHouse() -> Massing {
    var gate = Massing()
    let gray = Vector(0.36, 0.33, 0.29)
    var middle = Palette.stoneWall(gray)
    middle.door = Openings(
      kind: .void, head: .arch, width: 5, height: 7, bay: 6, floor: 99, sill: 0, columns: 1,
      trim: 0.7, frame: Vector(0.5, 0.46, 0.4))
    middle.upper = Palette.glazing(0.8, 1.8, bay: 2.6, sill: 8.6, head: .pointed)
    gate.box(0, 0, 0, 12, 8, 12, middle)
    var tower = Palette.stoneWall(gray * 1.05)
    tower.windows = Palette.glazing(0.6, 1.7, bay: 4.6, floor: 4.5, sill: 3, rows: 3)
    tower.cornice = 0.8
    for side in [-8.0, 8] {
      gate.round(.cone, side, 0, 0, 8.4, 15, tower)
      gate.round(.cone, side, 0, 15, 9.2, 9, Palette.slate, taper: 1)
    }
    for tooth in 0..<5 {
      gate.box(Double(tooth) * 2.2 - 4.4, -3.6, 12, 1.2, 0.8, 1.3, Palette.stoneWall(gray))
    }
    for side in [-16.0, 16] {
      gate.box(side, 0, 0, 9, 1.6, 5, Palette.stoneWall(gray))
      for tooth in 0..<4 {
        gate.box(
          side + Double(tooth) * 2.3 - 3.5, 0, 5, 1.3, 1.2, 1.1, Palette.stoneWall(gray))
      }
    }
    return gate
  }

  static func waterTower() -> Massing {
    var tower = Massing()
    var shaft = Palette.brick(Vector(0.36, 0.17, 0.09))
    shaft.plinth = 1.4
    shaft.course = 5.5
    shaft.windows = Palette.glazing(0.8, 2.2, bay: 6, floor: 5.5, sill: 4.4, rows: 4, head: .arch)
    shaft.door = Palette.door(width: 1.8, height: 3, Vector(0.06, 0.14, 0.1), head: .arch)
    tower.round(.cone, 0, 0, 0, 9, 22, shaft, taper: 0.22)
    tower.round(.cone, 0, 0, 21.8, 7, 4.4, Palette.brick(), taper: -0.9)
    var tank = Finish(.panels, Vector(0.72, 0.7, 0.64))
    tank.trim = Vector(0.2, 0.32, 0.42)
    tank.cornice = 0.9
    tank.plinth = 0.6
    tower.round(.cone, 0, 0, 26.2, 13.3, 7, tank)
    tower.round(.cone, 0, 0, 33.2, 14.2, 6.4, Palette.redTiles, taper: 0.86)
    var lantern = Palette.plaster(Vector(gray: 0.7))
    lantern.windows = Palette.glazing(0.5, 0.8, bay: 0.9, sill: 0.3)
    tower.round(.cone, 0, 0, 39.5, 1.9, 1.6, lantern)
    tower.round(.dome, 0, 0, 41.1, 2.1, 1.1, Palette.redTiles)
    tower.box(-7, 3, 0, 7, 5, 3.4, Palette.brick())
    tower.roof(-7, 3, 3.4, 7.4, 5.4, 2, leanX: 0, leanY: 1, Palette.redTiles)
    return tower
  }

  static func chapel() -> Massing {
    var chapel = Massing()
    let white = Palette.plaster(Vector(0.74, 0.71, 0.64))
    var nave = white
    nave.plinth = 0.9
    nave.windows = Palette.glazing(1.4, 5, bay: 4.4, sill: 2.6, head: .pointed)
    nave.door = Palette.door(width: 2.6, height: 4.4, Vector(0.2, 0.08, 0.03), head: .pointed)
    chapel.box(0, 0, 0, 12, 28, 9, nave)
    var gable = white
    gable.windows = Openings(
      kind: .rose, head: .disc, width: 3.2, height: 3.2, bay: 4, floor: 99, sill: 1, columns: 1,
      trim: 0.3, frame: Vector(0.5, 0.42, 0.34))
    chapel.roof(0, 0, 9, 12.6, 28.6, 9, leanX: 1, leanY: 0, Palette.redTiles, gable: gable)
    var tower = white
    tower.plinth = 0.9
    tower.quoins = true
    tower.windows = Palette.glazing(0.8, 2, bay: 3, floor: 6, sill: 4, rows: 2, head: .arch)
    tower.upper = Openings(
      kind: .void, head: .arch, width: 1.4, height: 2.6, bay: 2, floor: 99, sill: 15,
      columns: 2)
    tower.cornice = 0.5
    chapel.box(8.4, -9, 0, 5.4, 5.4, 19, tower)
    chapel.roof(8.4, -9, 19, 5.9, 5.9, 12.5, leanX: 1, leanY: 1, Palette.slate)
    for buttress in 0..<4 {
      chapel.box(-6.4, Double(buttress) * 6.6 - 10, 0, 1.2, 1, 7, white)
    }
    return chapel
  }
}
