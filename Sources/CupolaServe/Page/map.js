// The campus map from campus.json, with the user's position.

const metersPerDegree = 111_195;
const radians = Math.PI / 180;
const margin = 14, nearMarker = 14;
const svgNamespace = "http://www.w3.org/2000/svg";

// An equirectangular projection with north at the top, scaled by the cosine of the latitude.
class Projection {
  constructor(points, width, height) {
    const [first] = points;
    this.first = first[0];
    const all = points.map(([longitude, latitude]) => [this.east(longitude), latitude]);
    const [west, east] = range(all.map((point) => point[0])), [south, north] = range(all.map((point) => point[1]));
    this.middle = [(west + east) / 2, (south + north) / 2];
    this.squeeze = Math.max(0.01, Math.cos(this.middle[1] * radians));
    this.center = [width / 2, height / 2];
    const sides = [(east - west) * metersPerDegree * this.squeeze, (north - south) * metersPerDegree];
    this.scale = Math.min((width - 2 * margin) / Math.max(sides[0], 10), (height - 2 * margin) / Math.max(sides[1], 10));
  }

  east(longitude) { return ((longitude - this.first + 540) % 360) - 180; }

  point([longitude, latitude]) {
    const pixels = metersPerDegree * this.scale;
    return [
      this.center[0] + (this.east(longitude) - this.middle[0]) * pixels * this.squeeze,
      this.center[1] - (latitude - this.middle[1]) * pixels,
    ];
  }

  position([x, y]) {
    const pixels = metersPerDegree * this.scale;
    const longitude = this.first + this.middle[0] + (x - this.center[0]) / pixels / this.squeeze;
    return { longitude: ((longitude + 540) % 360) - 180, latitude: this.middle[1] - (y - this.center[1]) / pixels };
  }
}

export class CampusMap {
  #svg;
  #stand;
  #campus = { fence: [], buildings: [] };
  #projection = null;
  #shapes = new Map();
  #text = null;
  #marker = null;
  #place = null;
  #named = null;

  // `stand` is called with a latitude and longitude, or with null, when the user sets or clears the position.
  constructor(svg, stand) {
    this.#svg = svg;
    this.#stand = stand;
    svg.addEventListener("click", (event) => this.#click(event));
    svg.addEventListener("keydown", (event) => this.#press(event));
    new ResizeObserver(() => this.#draw()).observe(svg);
  }

  load(campus) {
    this.#campus = { fence: rings(campus.fence), buildings: campus.buildings.map((one) => ({ ...one, rings: rings(one.rings) })) };
    this.#draw();
    return this.#points.length > 0;
  }

  name(label) {
    if (label === this.#named) return;
    this.#named = label;
    this.#highlight();
  }

  mark(place) {
    this.#place = place;
    this.#drawMarker();
  }

  // The distance in meters from a place to the visible map; 0 if the place is visible.
  distance({ longitude, latitude }) {
    if (!this.#projection) return 0;
    const [x, y] = this.#projection.point([longitude, latitude]), { clientWidth, clientHeight } = this.#svg;
    const beside = (at, length) => Math.max(0, -at, at - length);
    return Math.hypot(beside(x, clientWidth), beside(y, clientHeight)) / this.#projection.scale;
  }

  get #points() { return [...this.#campus.fence, ...this.#campus.buildings.flatMap((building) => building.rings)].flat(); }

  #draw() {
    const svg = this.#svg, { clientWidth: width, clientHeight: height } = svg, points = this.#points;
    svg.replaceChildren();
    this.#shapes.clear();
    this.#projection = points.length && width > 2 * margin && height > 2 * margin ? new Projection(points, width, height) : null;
    if (!this.#projection) return;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.append(element("path", { class: "map-fence", d: this.#path(this.#campus.fence) }));
    for (const { label, name, rings } of this.#campus.buildings) {
      const shape = element("path", { class: "map-building", d: this.#path(rings) }), title = element("title", {});
      title.textContent = name;
      shape.append(title);
      svg.append(shape);
      this.#shapes.set(label, { shape, name, points: rings.flat().map((point) => this.#projection.point(point)) });
    }
    this.#text = element("text", { class: "map-name", "text-anchor": "middle" });
    this.#marker = element("g", { class: "map-marker" });
    svg.append(this.#text, this.#marker);
    this.#highlight();
    this.#drawMarker();
  }

  #path(rings) {
    return rings.map((ring) => "M" + ring.map((point) => this.#projection.point(point).map((at) => at.toFixed(1)).join(",")).join("L") + "Z").join("");
  }

  #highlight() {
    if (!this.#projection) return;
    for (const [label, { shape }] of this.#shapes) shape.classList.toggle("named", label === this.#named);
    const named = this.#shapes.get(this.#named);
    this.#text.textContent = named?.points.length ? named.name : "";
    if (!this.#text.textContent) return;
    const [left, right] = range(named.points.map((point) => point[0])), [top, bottom] = range(named.points.map((point) => point[1]));
    const width = this.#svg.clientWidth;
    for (let end = named.name.length; end > 1 && this.#text.getComputedTextLength() > width - 8; end -= 1) {
      this.#text.textContent = named.name.slice(0, end - 1).trimEnd() + "\u2026";
    }
    const half = this.#text.getComputedTextLength() / 2 + 4;
    this.#text.setAttribute("x", Math.max(half, Math.min(width - half, (left + right) / 2)).toFixed(1));
    this.#text.setAttribute("y", (top > 22 ? top - 6 : bottom + 16).toFixed(1));
  }

  #drawMarker() {
    if (!this.#projection) return;
    this.#marker.replaceChildren();
    if (!this.#place) return;
    const { longitude, latitude, accuracy, heading, headingAccuracy } = this.#place;
    const [x, y] = this.#projection.point([longitude, latitude]).map((at) => Math.max(-1e4, Math.min(1e4, at)));
    const circle = (name, r) => element("circle", { class: name, cx: x.toFixed(1), cy: y.toFixed(1), r: r.toFixed(1) });
    if (accuracy) this.#marker.append(circle("map-accuracy", Math.min(accuracy * this.#projection.scale, 1e4)));
    if (heading !== null) {
      const half = Math.max(10, Math.min(60, headingAccuracy ?? 25));
      const rim = [-half, half].map((turn) => (heading + turn) * radians).map((angle) => `${(x + 42 * Math.sin(angle)).toFixed(1)},${(y - 42 * Math.cos(angle)).toFixed(1)}`);
      this.#marker.append(element("path", { class: "map-heading", d: `M${x.toFixed(1)},${y.toFixed(1)}L${rim[0]}A42,42 0 0 1 ${rim[1]}Z` }));
    }
    this.#marker.append(circle("map-stand", 6.5));
  }

  #click(event) {
    if (!this.#projection) return;
    const box = this.#svg.getBoundingClientRect(), at = [event.clientX - box.left - this.#svg.clientLeft, event.clientY - box.top - this.#svg.clientTop];
    const marker = this.#place && this.#projection.point([this.#place.longitude, this.#place.latitude]);
    if (marker && Math.hypot(marker[0] - at[0], marker[1] - at[1]) < nearMarker) this.#stand(null);
    else this.#stand(this.#projection.position(at));
  }

  #press(event) {
    if (!this.#projection || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const middle = this.#projection.center, step = steps[event.key];
    if (step) {
      const from = this.#place ? this.#projection.point([this.#place.longitude, this.#place.latitude]) : middle;
      const pixels = (event.shiftKey ? 25 : 5) * this.#projection.scale;
      this.#stand(this.#projection.position([from[0] + step[0] * pixels, from[1] + step[1] * pixels]));
    } else if (event.key === "Enter") this.#stand(this.#projection.position(middle));
    else if (event.key === "Escape" || event.key === "Delete" || event.key === "Backspace") this.#stand(null);
    else return;
    event.preventDefault();
  }
}

export function element(name, attributes) {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function range(values) {
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
}

// The valid rings, as lists of [longitude, latitude].
function rings(value) {
  const isPoint = (point) => Array.isArray(point) && Number.isFinite(point[0]) && Number.isFinite(point[1]);
  return Array.isArray(value) ? value.filter((ring) => Array.isArray(ring) && ring.length > 2 && ring.every(isPoint)) : [];
}
