// The campus map from campus.json, with the position of the user or of a photo.

const metersPerDegree = 111_195;
const radians = Math.PI / 180;
// In pixels: the border around what is shown, the distance of clicks from the marker, and the movement during a click.
const margin = 14, nearMarker = 14, mostShake = 6;
// The least width in meters that fits to a position or buildings, and how much smaller than that they may be.
const leastWidth = 200, tooSmall = 3;
const svgNamespace = "http://www.w3.org/2000/svg";

// An equirectangular projection with north at the top, scaled by the cosine of the latitude.
class Projection {
  // `middle` is the center as degrees east of `first` and latitude. `scale` is in pixels per meter.
  constructor(first, { middle, scale }, width, height) {
    Object.assign(this, { first, middle, scale, center: [width / 2, height / 2] });
    this.squeeze = Math.max(0.01, Math.cos(middle[1] * radians));
  }

  point([longitude, latitude]) {
    const pixels = metersPerDegree * this.scale;
    return [
      this.center[0] + (eastOf(this.first, longitude) - this.middle[0]) * pixels * this.squeeze,
      this.center[1] - (latitude - this.middle[1]) * pixels,
    ];
  }

  position([x, y]) {
    const pixels = metersPerDegree * this.scale;
    const longitude = this.first + this.middle[0] + (x - this.center[0]) / pixels / this.squeeze;
    return {
      longitude: round(((longitude + 540) % 360) - 180),
      latitude: Math.max(-90, Math.min(90, round(this.middle[1] - (y - this.center[1]) / pixels))),
    };
  }
}

function eastOf(first, longitude) { return ((longitude - first + 540) % 360) - 180; }

// Rounds degrees to about a centimeter, so that texts do not contain rounding errors.
function round(degrees) { return Math.round(degrees * 1e7) / 1e7; }

export class CampusMap {
  // Whether clicks and keys set the position.
  isSettable = true;
  // Called with a function from [longitude, latitude] to pixels; returns more elements to draw.
  more = null;
  #svg;
  #stand;
  #campus = { fence: [], buildings: [] };
  #points = [];
  // The visible part: center and scale; null for all buildings.
  #view = null;
  // Whether the user has chosen the visible part.
  #isChosen = false;
  #projection = null;
  #shapes = new Map();
  #text = null;
  #marker = null;
  #place = null;
  #named = null;
  #pointers = new Map();
  #moved = 0;
  #redrawing = 0;

  // `stand` is called with a latitude and longitude, or with null, when the user sets or clears the position.
  constructor(svg, stand) {
    this.#svg = svg;
    this.#stand = stand;
    svg.addEventListener("keydown", (event) => this.#press(event));
    svg.addEventListener("wheel", (event) => this.#roll(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.#take(event));
    svg.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, (event) => this.#drop(event));
    new ResizeObserver(() => this.#draw()).observe(svg);
  }

  // `points` must be visible too if there are no buildings.
  load(campus, points = []) {
    this.#campus = { fence: rings(campus.fence), buildings: campus.buildings.map((one) => ({ ...one, rings: rings(one.rings) })) };
    this.#points = [...this.#campus.fence, ...this.#campus.buildings.flatMap((building) => building.rings), points].flat();
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

  // Shows a position, which may be null, and buildings, unless the user has chosen the visible part. The view changes
  // only if something is not visible or would be much too small. `isNew` is whether this is another photo.
  focus(place, labels, isNew = false) {
    if (isNew) this.#isChosen = false;
    const found = this.#campus.buildings.filter(({ label }) => labels.includes(label)).flatMap((building) => building.rings.flat());
    const points = place ? [...found, [place.longitude, place.latitude]] : found;
    if (!this.#projection || this.#isChosen || !points.length) return;
    const { clientWidth, clientHeight } = this.#svg, view = this.#fitted(points, leastWidth);
    const isVisible = points.map((point) => this.#projection.point(point)).every(([x, y]) => x >= 0 && y >= 0 && x <= clientWidth && y <= clientHeight);
    if (isVisible && view.scale < tooSmall * this.#projection.scale) return;
    this.#view = view;
    this.#draw();
  }

  showAll() {
    [this.#view, this.#isChosen] = [null, false];
    this.#draw();
  }

  // Enlarges the map around a point, which stays in place.
  zoom(factor, at = this.#projection?.center) {
    if (!this.#projection) return;
    const { scale, center } = this.#projection, next = Math.max(0.001, Math.min(50, scale * factor)), share = 1 - scale / next;
    this.#show([center[0] + (at[0] - center[0]) * share, center[1] + (at[1] - center[1]) * share], next);
  }

  // The distance in meters from a place to the visible map; 0 if the place is visible.
  distance({ longitude, latitude }) {
    if (!this.#projection) return 0;
    const { clientWidth, clientHeight } = this.#svg, whole = this.#projectionOf(this.#fitted(this.#points, 10));
    const [x, y] = whole.point([longitude, latitude]), beside = (at, length) => Math.max(0, -at, at - length);
    return Math.hypot(beside(x, clientWidth), beside(y, clientHeight)) / whole.scale;
  }

  #draw() {
    const svg = this.#svg, { clientWidth: width, clientHeight: height } = svg, points = this.#points;
    svg.replaceChildren();
    this.#shapes.clear();
    const isDrawable = points.length && width > 2 * margin && height > 2 * margin;
    this.#projection = isDrawable ? this.#projectionOf(this.#view ?? this.#home) : null;
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
    svg.append(...this.more?.((place) => this.#projection.point(place)) ?? [], this.#text, this.#marker);
    this.#highlight();
    this.#drawMarker();
  }

  // The view of all buildings. The fence can be so large that buildings in it would be dots.
  get #home() {
    const points = this.#campus.buildings.flatMap((building) => building.rings.flat());
    return this.#fitted(points.length ? points : this.#points, leastWidth);
  }

  #projectionOf(view) { return new Projection(this.#points[0][0], view, this.#svg.clientWidth, this.#svg.clientHeight); }

  // The view that shows points, and at least `least` meters.
  #fitted(points, least) {
    const all = points.map(([longitude, latitude]) => [eastOf(this.#points[0][0], longitude), latitude]);
    const [west, east] = range(all.map((point) => point[0])), [south, north] = range(all.map((point) => point[1]));
    const middle = [(west + east) / 2, (south + north) / 2], squeeze = Math.max(0.01, Math.cos(middle[1] * radians));
    const sides = [(east - west) * metersPerDegree * squeeze, (north - south) * metersPerDegree];
    const room = [this.#svg.clientWidth - 2 * margin, this.#svg.clientHeight - 2 * margin];
    return { middle, scale: Math.min(room[0] / Math.max(sides[0], least), room[1] / Math.max(sides[1], least)) };
  }

  // Moves the point `at` to the center. The user has chosen this view.
  #show(at, scale = this.#projection.scale) {
    const { longitude, latitude } = this.#projection.position(at);
    this.#view = { middle: [eastOf(this.#points[0][0], longitude), latitude], scale };
    this.#isChosen = true;
    this.#projection = this.#projectionOf(this.#view);
    this.#redrawing ||= requestAnimationFrame(() => {
      this.#redrawing = 0;
      this.#draw();
    });
  }

  #path(rings) {
    return rings.map((ring) => "M" + ring.map((point) => this.#projection.point(point).map((at) => at.toFixed(1)).join(",")).join("L") + "Z").join("");
  }

  #highlight() {
    if (!this.#projection) return;
    for (const [label, { shape }] of this.#shapes) shape.classList.toggle("named", label === this.#named);
    const named = this.#shapes.get(this.#named), { clientWidth: width, clientHeight: height } = this.#svg;
    this.#text.textContent = named?.points.length ? named.name : "";
    if (!this.#text.textContent) return;
    const [left, right] = range(named.points.map((point) => point[0])), [top, bottom] = range(named.points.map((point) => point[1]));
    if (right < 0 || bottom < 0 || left > width || top > height) return this.#text.replaceChildren();
    for (let end = named.name.length; end > 1 && this.#text.getComputedTextLength() > width - 8; end -= 1) {
      this.#text.textContent = named.name.slice(0, end - 1).trimEnd() + "\u2026";
    }
    const half = this.#text.getComputedTextLength() / 2 + 4;
    this.#text.setAttribute("x", Math.max(half, Math.min(width - half, (left + right) / 2)).toFixed(1));
    this.#text.setAttribute("y", (top > 22 ? top - 6 : Math.min(height - 6, bottom + 16)).toFixed(1));
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

  #at(event) {
    const box = this.#svg.getBoundingClientRect();
    return [event.clientX - box.left - this.#svg.clientLeft, event.clientY - box.top - this.#svg.clientTop];
  }

  #click(at) {
    if (!this.isSettable) return;
    const marker = this.#place && this.#projection.point([this.#place.longitude, this.#place.latitude]);
    if (marker && Math.hypot(marker[0] - at[0], marker[1] - at[1]) < nearMarker) this.#stand(null);
    else this.#stand(this.#projection.position(at));
  }

  #roll(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), this.#at(event));
  }

  #take(event) {
    if (event.button) return;
    this.#pointers.set(event.pointerId, event);
    this.#moved = this.#pointers.size > 1 ? Infinity : 0;
    this.#svg.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const last = this.#pointers.get(event.pointerId), other = [...this.#pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
    if (!last || !this.#projection) return;
    this.#pointers.set(event.pointerId, event);
    const distance = (pointer) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
    if (other) return this.zoom(distance(event) / Math.max(1, distance(last)), this.#at(other));
    const [right, down] = [event.clientX - last.clientX, event.clientY - last.clientY], { center } = this.#projection;
    this.#moved += Math.hypot(right, down);
    if (this.#moved > mostShake) this.#show([center[0] - right, center[1] - down]);
  }

  #drop(event) {
    const isClick = this.#pointers.delete(event.pointerId) && event.type === "pointerup" && this.#moved <= mostShake;
    if (isClick && this.#projection) this.#click(this.#at(event));
  }

  #press(event) {
    if (!this.#projection || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const middle = this.#projection.center, step = steps[event.key];
    if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-") this.zoom(1 / 1.5);
    else if (event.key === "0") this.showAll();
    else if (!this.isSettable) return;
    else if (step) {
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
