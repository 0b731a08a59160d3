import * as ort from "onnxruntime-web";

/** Names the building in a photo. */
export class CampusRecognizer {
  static async load(folder = ".") {
    const recognizer = new CampusRecognizer();
    recognizer.session = await ort.InferenceSession.create(`${folder}/campus.onnx`);
    recognizer.notes = (await (await fetch(`${folder}/export.json`)).json()).notes;
    const map = await fetch(`${folder}/campus.geojson`);
    const features = map.ok ? (await map.json()).features : [];
    // Polygons, each a list of rings: the first around it, the others around its holes.
    recognizer.grounds = features.filter(({ properties: p }) => p.role === "boundary")
      .flatMap(({ geometry: g }) => (g.type === "Polygon" ? [g.coordinates] : g.coordinates));
    recognizer.records = new Map(features.map(({ properties: p }) => [p.label, p])); // name, address and so on
    return recognizer;
  }

  /** photo: a File or Blob; place: {longitude, latitude, accuracy} as navigator.geolocation has it, or nothing. */
  async answer(photo, place) {
    if (place && isOutside(this.grounds, place)) return { verdict: "not_on_campus" };
    const side = this.notes.input.side, { least_odds, least_share } = this.notes.decision;
    const image = new ort.Tensor("uint8", await pixels(photo, side), [1, side, side, 3]);
    const p = (await this.session.run({ image })).probabilities.data;
    const ranked = [...p.keys()].slice(1).sort((a, b) => p[b] - p[a]);
    const [first, second] = ranked, all = ranked.reduce((sum, i) => sum + p[i], 0);
    const share = (i) => (i === undefined || all === 0 ? 0 : p[i] / all);
    if (first === undefined || Math.log(p[first] / p[0]) < least_odds) return { verdict: "not_a_campus_building" };
    if (share(first) >= least_share)
      return { verdict: "building", ...this.building(first), probability: p[first] };
    if (share(first) + share(second) >= least_share)
      return { verdict: "unsure", between: [this.building(first), this.building(second)] };
    return { verdict: "not_a_campus_building" };
  }

  building(index) {
    const label = this.notes.labels[index], record = this.records.get(label) ?? {};
    return { label, name: record.name ?? label, record };
  }
}

async function pixels(photo, side) {
  const picture = await createImageBitmap(photo, { imageOrientation: "from-image" }); // upright
  const { width, height } = picture;
  const canvas = new OffscreenCanvas(side, side), context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  const part = [0, 0, width, height]; // the whole photo is stretched to the square
  context.drawImage(picture, ...part, 0, 0, side, side);
  const rgba = context.getImageData(0, 0, side, side).data, rgb = new Uint8Array(side * side * 3);
  for (let i = 0, j = 0; i < rgba.length; i += 4) for (let c = 0; c < 3; c++) rgb[j++] = rgba[i + c];
  return rgb;
}

/**
 * Whether a place is surely off the grounds: outside, and farther from them than its error in meters. Without an
 * error it is taken to be 15; an error below 0 says that there is no place.
 */
function isOutside(grounds, { longitude, latitude, accuracy }) {
  const error = accuracy ?? 15;
  if (!grounds.length || !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && error >= 0)) return false;
  const reach = Math.max(error, 0.01); // a centimeter is for rounding
  const angle = (latitude * Math.PI) / 180, bend = 1 - 0.00669438 * Math.sin(angle) ** 2;
  const east = (111319.491 * Math.cos(angle)) / bend ** 0.5, north = 110574.276 / bend ** 1.5; // meters a degree, WGS 84
  const turn = (degrees) => degrees - 360 * Math.round(degrees / 360); // the short way
  for (const rings of grounds) {
    let inside = false;
    for (const ring of rings) {
      // Of each edge the ends as seen from the place, across the 180th meridian too.
      let ax = turn(ring[0][0] - longitude) * east;
      for (let i = 1; i < ring.length; i++) {
        const ay = (ring[i - 1][1] - latitude) * north, by = (ring[i][1] - latitude) * north;
        const dx = turn(ring[i][0] - ring[i - 1][0]) * east, dy = by - ay, square = dx * dx + dy * dy;
        if (ay > 0 !== by > 0 && ax - (ay * dx) / dy > 0) inside = !inside;
        const share = square > 0 ? Math.min(Math.max(-(ax * dx + ay * dy) / square, 0), 1) : 0;
        if (Math.hypot(ax + share * dx, ay + share * dy) <= reach) return false;
        ax += dx;
      }
    }
    if (inside) return false;
  }
  return true;
}
