/// The layout of the fictional campus.
enum Campus {
  static let name = "Cupola Sample Campus"
  static let latitude = 48.3
  static let longitude = 10.9
  static let northScale = 111_196.0
  static let eastScale = 74_192.0
  static let halfWidth = 255.0
  static let halfHeight = 205.0

  static let buildings = towers + halls + modern

  private static let towers = [
    Building(
      label: "bell_tower", name: "Bell Tower", abbreviation: "BT", category: "landmark",
      description: "Slender brick tower with a stone belfry, a clock and a copper spire.",
      address: "Campus Green 1", yearBuilt: 1891, frame: Frame(62, -4, facing: 190),
      width: 14, depth: 14, height: 44, massing: TowerMassings.bellTower()),
    Building(
      label: "gate_house", name: "West Gate House", abbreviation: "GH", category: "landmark",
      description: "Two round stone towers with slate cones either side of a great arch.",
      address: "Abbey Lane 2", yearBuilt: 1624, frame: Frame(-195, -15, facing: 250),
      width: 40, depth: 10, height: 24, massing: TowerMassings.gateHouse()),
    Building(
      label: "water_tower", name: "Old Water Tower", abbreviation: "WT", category: "landmark",
      description: "Brick shaft carrying a round white tank under a red conical roof.",
      address: "Mill Path 9", yearBuilt: 1907, frame: Frame(196, -6, facing: 215),
      width: 14, depth: 14, height: 42, isOval: true, massing: TowerMassings.waterTower()),
    Building(
      label: "chapel", name: "Saint Afra Chapel", abbreviation: "SAC", category: "worship",
      description: "White gabled chapel with red tiles, a rose window and a side spire.",
      address: "Abbey Lane 7", yearBuilt: 1752, frame: Frame(-62, 4, facing: 165),
      width: 19, depth: 28, height: 32, massing: TowerMassings.chapel()),
  ]

  private static let halls = [
    Building(
      label: "old_library", name: "Old Library", abbreviation: "OL", category: "library",
      description: "Pale stone hall with a columned portico and a green copper dome.",
      address: "Campus Green 4", yearBuilt: 1868, frame: Frame(-60, 134, facing: 180),
      width: 46, depth: 24, height: 28, massing: HallMassings.oldLibrary()),
    Building(
      label: "founders_hall", name: "Founders Hall", abbreviation: "FH", category: "teaching",
      description: "Yellow sandstone hall over an arcade, with two corner towers.",
      address: "Campus Green 6", yearBuilt: 1879, frame: Frame(66, 138, facing: 175),
      width: 46, depth: 18, height: 22, massing: HallMassings.foundersHall()),
    Building(
      label: "north_hall", name: "North Hall", abbreviation: "NH", category: "residence",
      description: "Red brick residence of three floors with a stone-trimmed middle gable.",
      address: "College Row 3", yearBuilt: 1904, frame: Frame(-190, 136, facing: 185),
      width: 48, depth: 17, height: 20, massing: HallMassings.northHall()),
    Building(
      label: "south_hall", name: "South Hall", abbreviation: "SH", category: "residence",
      description: "Red brick residence of two floors under a steep tiled roof, with a wing.",
      address: "College Row 8", yearBuilt: 1911, frame: Frame(-188, -142, facing: 20),
      width: 44, depth: 22, height: 17, massing: HallMassings.southHall()),
  ]

  private static let modern = [
    Building(
      label: "science_block", name: "Science Block", abbreviation: "SCI", category: "laboratory",
      description: "Five floors of blue glass beside a tall concrete core.",
      address: "Meridian Street 10", yearBuilt: 2014, frame: Frame(190, 136, facing: 200),
      width: 44, depth: 20, height: 26, massing: ModernMassings.scienceBlock()),
    Building(
      label: "observatory", name: "Kepler Observatory", abbreviation: "OBS",
      category: "laboratory",
      description: "White drum under a silver dome with a slit, on a low long base.",
      address: "Meridian Street 1", yearBuilt: 1932, frame: Frame(-64, -138, facing: 350),
      width: 30, depth: 18, height: 17, massing: ModernMassings.observatory()),
    Building(
      label: "palm_house", name: "Palm House", abbreviation: "PH", category: "garden",
      description: "Glass house of iron ribs: a tall round middle between two vaulted wings.",
      address: "Garden Walk 5", yearBuilt: 1886, frame: Frame(64, -136, facing: 5),
      width: 54, depth: 19, height: 18, massing: ModernMassings.palmHouse()),
    Building(
      label: "oval_arena", name: "Oval Arena", abbreviation: "OA", category: "sports",
      description: "Oval concrete arena with rings of arches, a blue rim and four light masts.",
      address: "Meridian Street 20", yearBuilt: 1974, frame: Frame(188, -138, facing: 335),
      width: 62, depth: 46, height: 17, isOval: true, massing: ModernMassings.ovalArena()),
  ]
}
