import * as ort from "onnxruntime-web";
import { Places, distance, isPlace } from "./place.js";

/** Recognizes the building in a photo. */
export class CampusRecognizer {
  static async load(folder = ".") {
    const recognizer = new CampusRecognizer();
    recognizer.session = await ort.InferenceSession.create(`${folder}/campus.onnx`);
    recognizer.notes = (await (await fetch(`${folder}/export.json`)).json()).notes;
    const table = await fetch(`${folder}/place.json`); // combines the image with position and heading
    recognizer.places = table.ok ? new Places(await table.json()) : null;
    const map = await fetch(`${folder}/campus.geojson`);
    const features = map.ok ? (await map.json()).features : [];
    // Polygons as lists of rings; all rings after the first are holes.
    recognizer.grounds = features.filter(({ properties: p }) => p.role === "boundary")
      .flatMap(({ geometry: g }) => (g.type === "Polygon" ? [g.coordinates] : g.coordinates));
    recognizer.records = new Map(features.map(({ properties: p }) => [p.label, p])); // name, address and other properties
    return recognizer;
  }

  /**
   * photo: a File or Blob. place: {longitude, latitude, accuracy} as from navigator.geolocation, if known. For
   * heading and view, see place.js.
   */
  async answer(photo, place, heading, view) {
    if (place && isOutside(this.grounds, place)) return this.result("not_on_campus", []);
    const { input, labels, decision } = this.notes, side = input.side;
    const { rgb, isUpright } = await pixels(photo, side);
    const image = new ort.Tensor("uint8", rgb, [1, side, side, 3]);
    const p = (await this.session.run({ image })).probabilities.data;
    const usual = isUpright ? this.places?.c.upright_view_deg : undefined;
    const found = place && this.places?.answer(p, decision, place, heading, Number.isFinite(view) ? view : usual);
    if (found) return this.result(found.verdict, found.buildings.map(({ label }) => label), found.probability);
    const isNone = (i) => labels[i] === "not_a_campus_building" || labels[i] === "unknown_building";
    const sum = (numbers) => numbers.reduce((sum, i) => sum + p[i], 0), numbers = [...p.keys()];
    const ranked = numbers.filter((i) => !isNone(i)).sort((a, b) => p[b] - p[a]), names = ranked.map((i) => labels[i]);
    const share = (count) => sum(ranked.slice(0, count)) / (sum(ranked) || 1);
    const isRejected = !ranked.length || Math.log(p[ranked[0]] / sum(numbers.filter(isNone))) < decision.least_odds;
    if (isRejected || share(2) < decision.least_share) return this.result("not_a_campus_building", []);
    if (share(1) < decision.least_share) return this.result("unsure", names);
    const known = 1 - sum(numbers.filter((i) => labels[i] === "unknown_building")); // excludes unknown buildings
    return this.result("building", names, p[ranked[0]] / known);
  }

  /** The answer for the app: its text in the words of `cupola classify`, and each building's label, name and record. */
  result(verdict, labels, probability) {
    const [first, second] = labels.map((label) => {
      const record = this.records.get(label) ?? {};
      return { label, name: record.name ?? label, record };
    });
    const text = {
      building: `${first?.name} (${(100 * probability).toFixed(1)}%)`, mapped_building: `Probably ${first?.name}`,
      unsure: `Unsure: ${first?.name} or ${second?.name}`, not_a_campus_building: "Not a Campus Building",
      not_on_campus: "Not on Campus",
    }[verdict];
    if (verdict === "unsure") return { verdict, text, between: [first, second] };
    return verdict.startsWith("not_") ? { verdict, text } : { verdict, text, ...first, probability };
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
  return { rgb, isUpright: width < height };
}

/**
 * Whether a place is outside the campus by more than the position error in meters (default: 15). False for a negative
 * error, which means that there is no position.
 */
function isOutside(grounds, { longitude, latitude, accuracy }) {
  const error = accuracy ?? 15;
  if (!grounds.length || !(isPlace(latitude, longitude) && error >= 0)) return false;
  // 1 cm allows for rounding.
  return grounds.every((rings) => distance([longitude, latitude], rings) > Math.max(error, 0.01));
}
