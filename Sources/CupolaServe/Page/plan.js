// The map of the visitors' page: areas and paths of a floor, places, and a route. Units are meters, north is up.

import { element, range } from "../map.js";

const metersPerDegree = 111_195, radians = Math.PI / 180;
const areaKinds = ["green", "water", "square", "parking", "building", "corridor", "room"];
// In pixels: a step of the arrow keys, the distance of clicks from a place, the movement during a click, and the size of letters.
const keyStep = 60, nearPlace = 22, mostShake = 6, letter = 12;
// How many times as wide as its area a name may be.
const nameWidths = { building: 4, room: 1.1, green: 1.1 };
const lineNames = { street: "line street", steps: "line steps-line" };

export class Plan {
  level = null;
  marks = { results: [], place: null, route: null, start: null, goal: null, here: null };
  #svg;
  #chosen;
  #map = { areas: [], lines: [] };
  #kept = {};
  #places = [];
  #origin = [0, 0];
  #view = { x: 0, y: 0, width: 100 };
  #pointers = new Map();
  #moved = 0;

  // `chosen` is called with a place, or with a position if there is none at the clicked point.
  constructor(svg, chosen) {
    this.#svg = svg;
    this.#chosen = chosen;
    svg.addEventListener("keydown", (event) => this.#press(event));
    svg.addEventListener("wheel", (event) => this.#roll(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.#take(event));
    svg.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, (event) => this.#drop(event));
    new ResizeObserver(() => this.draw()).observe(svg);
  }

  load({ areas, lines }, places) {
    const all = [...areas.flatMap((area) => area.rings.flat()), ...lines.flatMap((line) => line.points)];
    const [west, east] = range(all.map((point) => point[0])), [south, north] = range(all.map((point) => point[1]));
    if (all.length) this.#origin = [(west + east) / 2, (south + north) / 2];
    const project = (ring) => ring.map((point) => this.#meters(point));
    this.#map = {
      areas: areas.map((area) => ({ ...area, rings: area.rings.map(project) })),
      lines: lines.map((line) => ({ ...line, points: project(line.points) })),
    };
    this.#places = places;
    this.#kept = {};
    this.showAll();
  }

  showAll() {
    const buildings = this.#map.areas.filter((area) => area.kind === "building");
    const points = (buildings.length ? buildings : this.#map.areas).flatMap((area) => area.rings.flat());
    this.#fit(points.length ? points : this.#map.lines.flatMap((line) => line.points), 20);
  }

  // Shows positions as { longitude, latitude }, and at least a width in meters.
  show(positions, least) { this.#fit(positions.map((position) => this.#point(position)), least); }

  zoom(factor, at = null) {
    const { x, y, width } = this.#view, next = Math.max(10, Math.min(50_000, width / factor));
    const [centerX, centerY] = at ?? [x, y];
    this.#view = { x: centerX + (x - centerX) * next / width, y: centerY + (y - centerY) * next / width, width: next };
    this.draw();
  }

  draw() {
    const svg = this.#svg, { clientWidth: width, clientHeight: height } = svg;
    if (width < 10 || height < 10) return;
    const view = this.#view, tall = view.width * height / width;
    svg.setAttribute("viewBox", `${view.x - view.width / 2} ${view.y - tall / 2} ${view.width} ${tall}`);
    svg.replaceChildren(...this.#ground(), ...this.#route(), ...this.#dots(), ...this.#names());
  }

  get #scale() { return this.#view.width / Math.max(1, this.#svg.clientWidth); }

  #meters([longitude, latitude]) {
    const east = ((longitude - this.#origin[0] + 540) % 360) - 180;
    return [east * metersPerDegree * Math.cos(this.#origin[1] * radians), (this.#origin[1] - latitude) * metersPerDegree];
  }

  #point({ longitude, latitude }) { return this.#meters([longitude, latitude]); }

  #position([x, y]) {
    const longitude = this.#origin[0] + x / metersPerDegree / Math.max(0.01, Math.cos(this.#origin[1] * radians));
    return { longitude: ((longitude + 540) % 360) - 180, latitude: this.#origin[1] - y / metersPerDegree };
  }

  #fit(points, least) {
    if (!points.length) return;
    const [left, right] = range(points.map((point) => point[0])), [top, bottom] = range(points.map((point) => point[1]));
    const shape = this.#svg.clientWidth / Math.max(1, this.#svg.clientHeight) || 1;
    const width = 1.3 * Math.max(right - left, (bottom - top) * shape, least);
    this.#view = { x: (left + right) / 2, y: (top + bottom) / 2, width };
    this.draw();
  }

  // MARK: Drawing

  #isShown(level) { return (level ?? null) === this.level; }

  // Outdoors is drawn below the chosen floor. The parts are kept, because they do not depend on the view.
  #ground() {
    const key = `${this.level} ${this.marks.place?.id}`;
    if (this.#kept.key !== key) this.#kept = { key, parts: this.#makeGround() };
    return this.#kept.parts;
  }

  #makeGround() {
    const outside = element("g", { class: this.level === null ? "" : "inside" }), floor = element("g", {});
    for (const [group, level] of this.level === null ? [[outside, null]] : [[outside, null], [floor, this.level]]) {
      const areas = this.#map.areas.filter((area) => (area.level ?? null) === level);
      const lines = this.#map.lines.filter((line) => level === null ? !line.levels.length : line.levels.includes(level));
      for (const kind of areaKinds) group.append(shape(kind, areas.filter((area) => area.kind === kind).flatMap((area) => area.rings), "Z"));
      for (const kind of new Set(lines.map((line) => line.kind))) {
        group.append(shape(lineNames[kind] ?? "line", lines.filter((line) => line.kind === kind).map((line) => line.points), ""));
      }
    }
    const { place } = this.marks, isChosen = (area) => area.id === place.id && (area.level === undefined || this.#isShown(area.level));
    if (place) floor.append(shape("chosen", this.#map.areas.filter(isChosen).flatMap((area) => area.rings), "Z"));
    return [outside, floor];
  }

  // Parts of the route on other floors are dotted.
  #route() {
    const points = this.marks.route ?? [], parts = [];
    const isHere = (at) => this.#isShown(points[at][2]) && this.#isShown(points[at + 1][2]);
    for (let at = 0; at + 1 < points.length;) {
      const here = isHere(at), part = [points[at]];
      while (at + 1 < points.length && isHere(at) === here) part.push(points[at += 1]);
      parts.push(shape(here ? "way" : "way elsewhere", [part.map(([latitude, longitude]) => this.#meters([longitude, latitude]))], ""));
    }
    return parts;
  }

  // The names of the largest areas that do not overlap others or the ends of the route. Rooms and lawns must contain their names.
  #names() {
    const size = letter * this.#scale, { x, y, width } = this.#view, { start, goal, here } = this.marks;
    const taken = [start, goal, here].filter(Boolean).map((end) => this.#point(end)).map((point) => ({ x: point[0], y: point[1], half: size }));
    const group = element("g", { "font-size": size, "stroke-width": size / 4 });
    const named = this.#map.areas.filter(({ name, kind, level }) => name && kind in nameWidths && this.#isShown(level)).map(({ name, kind, rings }) => {
      const [left, right] = range(rings[0].map((point) => point[0])), [top, bottom] = range(rings[0].map((point) => point[1]));
      return { name, kind, width: right - left, x: (left + right) / 2, y: (top + bottom) / 2, half: name.length * size * 0.3 };
    });
    for (const one of named.sort((a, b) => b.width - a.width)) {
      const isNear = Math.abs(one.x - x) < width && Math.abs(one.y - y) < width, fits = 2 * one.half < nameWidths[one.kind] * one.width;
      if (!isNear || !fits || taken.some((other) => Math.abs(one.x - other.x) < one.half + other.half && Math.abs(one.y - other.y) < 1.3 * size)) continue;
      const text = element("text", { x: one.x, y: one.y + size / 3 });
      text.textContent = one.name;
      group.append(text);
      taken.push(one);
    }
    return [group];
  }

  #dots() {
    const { results, start, goal, here } = this.marks, parts = [];
    const add = (at, name, pixels) => {
      const [cx, cy] = this.#point(at);
      parts.push(element("circle", { class: name, cx, cy, r: pixels * this.#scale }));
    };
    if (this.#scale < 0.6) for (const place of this.#pois) add(place, "dot poi", 3);
    for (const place of results) if (this.#isShown(place.level)) add(place, "dot", 5);
    for (const end of [start, goal]) if (end && this.#isShown(end.level)) add(end, "end", 7);
    if (here) {
      if (here.accuracy) add(here, "around", here.accuracy / this.#scale);
      add(here, "here", 7);
    }
    return parts;
  }

  get #pois() { return this.#places.filter((place) => place.kind === "poi" && this.#isShown(place.level)); }

  // MARK: Keys and pointers

  #press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, step = steps[event.key];
    if (step) this.#move(step[0] * keyStep, step[1] * keyStep);
    else if (event.key === "+" || event.key === "=") this.zoom(1.5);
    else if (event.key === "-") this.zoom(1 / 1.5);
    else return;
    event.preventDefault();
  }

  #move(right, down) {
    this.#view = { ...this.#view, x: this.#view.x + right * this.#scale, y: this.#view.y + down * this.#scale };
    this.draw();
  }

  #at({ clientX, clientY }) {
    const box = this.#svg.getBoundingClientRect(), { x, y } = this.#view;
    return [x + (clientX - box.left - box.width / 2) * this.#scale, y + (clientY - box.top - box.height / 2) * this.#scale];
  }

  #roll(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), this.#at(event));
  }

  #take(event) {
    this.#pointers.set(event.pointerId, event);
    this.#moved = this.#pointers.size > 1 ? Infinity : 0;
    this.#svg.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    const last = this.#pointers.get(event.pointerId), other = [...this.#pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
    if (!last) return;
    this.#pointers.set(event.pointerId, event);
    const distance = (pointer) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
    if (other) return this.zoom(distance(event) / Math.max(1, distance(last)), this.#at(other));
    this.#moved += Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
    if (this.#moved > mostShake) this.#move(last.clientX - event.clientX, last.clientY - event.clientY);
  }

  #drop(event) {
    const isClick = this.#pointers.delete(event.pointerId) && event.type === "pointerup" && this.#moved <= mostShake;
    if (isClick) this.#choose(this.#at(event));
  }

  #choose(at) {
    const reach = nearPlace * this.#scale, byDistance = this.#pois.concat(this.marks.results.filter((place) => this.#isShown(place.level)))
      .map((place) => ({ place, distance: Math.hypot(this.#point(place)[0] - at[0], this.#point(place)[1] - at[1]) }))
      .filter(({ distance }) => distance < reach && this.#scale < 1.5).sort((a, b) => a.distance - b.distance);
    const areas = this.#map.areas.filter((area) => this.#isShown(area.level) && contains(area.rings, at));
    const found = byDistance[0]?.place ?? areas.map((area) => this.#places.find((place) => place.id === area.id)).findLast(Boolean);
    this.#chosen(found ?? { ...this.#position(at), level: this.level ?? undefined });
  }
}

function shape(name, rings, end) {
  const d = rings.map((ring) => `M${ring.map((point) => point.map((at) => at.toFixed(1)).join(" ")).join("L")}${end}`).join("");
  return element("path", { class: name, "fill-rule": "evenodd", d });
}

function contains(rings, [x, y]) {
  let isInside = false;
  for (const ring of rings) {
    ring.forEach(([ax, ay], index) => {
      const [bx, by] = ring[(index + 1) % ring.length];
      if ((ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax) isInside = !isInside;
    });
  }
  return isInside;
}
