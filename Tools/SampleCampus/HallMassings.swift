enum HallMassings {
  static func oldLibrary() -> Massing {
    var library = Massing()
    let pale = Palette.stoneWall(Vector(0.62, 0.58, 0.5))
    var wing = pale
    wing.plinth = 1.4
    wing.cornice = 1
    wing.windows = Palette.glazing(1.6, 2.6, bay: 4, sill: 2, head: .flat)
    wing.upper = Palette.glazing(1.6, 3.2, bay: 4, sill: 6.6, head: .arch)
    library.box(0, 2, 0, 46, 18, 12, wing)
    library.roof(0, 2, 12, 45, 17, 3, leanX: 0.2, leanY: 0.8, Palette.slate)
    library.box(0, -9, 0, 20, 8, 1.2, pale, roof: pale)
    library.box(0, -11.5, 0, 18, 5, 0.6, pale, roof: pale)
    var entrance = pale
    entrance.door = Palette.door(width: 3, height: 6, Vector(0.13, 0.07, 0.03))
    entrance.windows = Palette.glazing(1.4, 3.4, bay: 5.4, sill: 2)
    library.box(0, -6.9, 1.2, 17, 1, 9.4, entrance)
    let shaft = Finish(.fluted, Vector(0.68, 0.64, 0.56))
    for column in 0..<6 {
      let x = Double(column) * 3.4 - 8.5
      library.round(.cone, x, -11.4, 1.2, 1.5, 8.8, shaft, taper: 0.14)
      library.box(x, -11.4, 9.6, 1.7, 1.7, 0.5, pale)
    }
    library.box(0, -9.3, 10.1, 20, 6.4, 1.7, pale)
    library.roof(
      0, -9.3, 11.8, 20.8, 7, 4, leanX: 1, leanY: 0, Palette.slate,
      gable: Palette.plaster(Vector(0.58, 0.53, 0.45)))
    var drum = pale
    drum.windows = Palette.glazing(1, 2.6, bay: 2.4, sill: 1.6, head: .arch)
    drum.cornice = 0.6
    library.round(.cone, 0, 2, 13, 12.5, 6, drum)
    library.round(.dome, 0, 2, 19, 12.8, 6.6, Palette.copper)
    library.round(.cone, 0, 2, 25.3, 1.8, 2, pale)
    library.round(.dome, 0, 2, 27.3, 2, 1.2, Palette.copper)
    return library
  }

  static func foundersHall() -> Massing {
    var hall = Massing()
    let sand = Vector(0.56, 0.4, 0.2)
    var body = Palette.stoneWall(sand)
    body.course = 5.2
    body.cornice = 0.8
    body.windows = Openings(
      kind: .void, head: .arch, width: 2.6, height: 4, bay: 3.8, floor: 99, sill: 0.4, trim: 0.3,
      frame: sand * 1.25)
    body.upper = Palette.glazing(1.5, 2.8, bay: 3.8, floor: 4.1, sill: 6, rows: 2)
    hall.box(0, 0, 0, 38, 16, 14, body)
    hall.roof(0, 0, 14, 38.6, 16.6, 5, leanX: 0.1, leanY: 0.5, Palette.slate)
    var tower = Palette.stoneWall(sand * 1.05)
    tower.course = 5.2
    tower.cornice = 1
    tower.quoins = true
    tower.windows = Palette.glazing(1.3, 2.6, bay: 2.6, floor: 5.2, sill: 1.6, rows: 3)
    tower.windows.columns = 2
    for side in [-20.5, 20.5] {
      hall.box(side, -1.5, 0, 7.5, 16, 17, tower)
      hall.roof(side, -1.5, 17, 8, 16.5, 5, leanX: 1, leanY: 0.7, Palette.slate)
    }
    var bay = Palette.stoneWall(sand * 1.1)
    bay.door = Palette.door(width: 3, height: 4.6, Vector(0.1, 0.03, 0.03), head: .arch)
    bay.upper = Openings(
      kind: .clock, head: .disc, width: 3, height: 3, bay: 4, floor: 99, sill: 11.2, columns: 1,
      trim: 0.3)
    bay.windows = Palette.glazing(1.2, 3.4, bay: 2.2, sill: 6.4, head: .arch)
    bay.cornice = 0.6
    hall.box(0, -8.4, 0, 8, 2, 15.6, bay)
    return hall
  }

  static func northHall() -> Massing {
    var hall = Massing()
    var body = Palette.brick()
    body.plinth = 1.2
    body.cornice = 0.7
    body.course = 4.2
    body.windows = Palette.glazing(1.3, 2.2, bay: 3.2, floor: 4.2, sill: 1.8, rows: 3)
    body.windows.frame = Palette.whiteTrim
    hall.box(0, 0, 0, 48, 15, 13.6, body)
    hall.roof(0, 0, 13.6, 49, 16, 5, leanX: 0.3, leanY: 1, Palette.slate)
    var bay = body
    bay.course = 0
    bay.quoins = true
    bay.windows.rows = 3
    bay.windows.bay = 2.8
    bay.door = Palette.door(width: 2.6, height: 3.4, Vector(0.03, 0.08, 0.14))
    bay.door.frame = Palette.whiteTrim
    hall.box(0, -7.6, 0, 12, 3, 13.6, bay)
    var gable = Palette.brick()
    gable.windows = Palette.glazing(1.6, 1.6, bay: 3, sill: 1, head: .disc)
    gable.windows.columns = 1
    hall.roof(0, -5, 13.6, 12.6, 9, 6, leanX: 1, leanY: 0, Palette.slate, gable: gable)
    for x in [-17.0, -9, 9, 17] { hall.box(x, 1, 15, 1.3, 1.3, 5.6, Palette.brick()) }
    return hall
  }

  static func southHall() -> Massing {
    var hall = Massing()
    var body = Palette.brick(Vector(0.36, 0.13, 0.08))
    body.plinth = 0.9
    body.windows = Palette.glazing(1.9, 1.8, bay: 4.1, floor: 3.9, sill: 1.3, rows: 2)
    body.windows.panesX = 3
    body.windows.frame = Vector(0.5, 0.46, 0.36)
    body.windows.sill = 1.5
    hall.box(0, 3, 0, 44, 13, 8.6, body)
    hall.roof(
      0, 3, 8.6, 45, 14.4, 8, leanX: 0, leanY: 1, Palette.brownTiles, gable: Palette.brick())
    var wing = body
    wing.windows.bay = 3
    wing.windows.columns = 3
    hall.box(15, -3, 0, 11, 15, 8.6, wing)
    var gable = Palette.brick(Vector(0.36, 0.13, 0.08))
    gable.windows = Palette.glazing(1.2, 2, bay: 3, sill: 1.2)
    gable.windows.columns = 1
    hall.roof(15, -2, 8.6, 11.8, 18, 6.6, leanX: 1, leanY: 0, Palette.brownTiles, gable: gable)
    var porch = Palette.plaster(Vector(0.66, 0.62, 0.52))
    porch.door = Palette.door(width: 1.8, height: 2.6, Vector(0.05, 0.12, 0.06))
    hall.box(-6, -4.6, 0, 4, 2.6, 3.4, porch)
    hall.roof(-6, -4.6, 3.4, 4.6, 3.2, 1.8, leanX: 1, leanY: 0, Palette.brownTiles)
    var dormer = Palette.plaster(Vector(0.66, 0.62, 0.52))
    dormer.windows = Palette.glazing(1, 1.2, bay: 2, sill: 0.5)
    for x in [-18.0, -12, -6, 0, 6] {
      hall.box(x, -1.6, 10, 2, 3, 2.1, dormer)
      hall.roof(x, -1.6, 12.1, 2.4, 3.2, 1.1, leanX: 1, leanY: 0, Palette.brownTiles)
    }
    hall.box(-20, 3, 13, 1.4, 1.4, 5.4, Palette.brick())
    return hall
  }
}
