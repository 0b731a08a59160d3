// A grid of photos by folder that keeps only the visible photos in the document.
// 1. Lay out rows. 2. Draw what is visible. 3. Select with the mouse, fingers and keys. 4. Drag to a folder.

import { make, write } from "./answer.js";
import { page, plural } from "./studio-core.js";

const headHeight = 58, gap = 8, beyond = 400;
// In pixels: the movement that starts a drag, and the scrolling per frame above which photos are loaded later.
const leastDrag = 6, fastScroll = 600;

export class Grid {
  // The selected paths, and the path that keys start from.
  chosen = new Set();
  active = null;
  #box;
  #sizer = make("div", "sizer");
  #events;
  #sections = [];
  #flat = [];
  #index = new Map();
  #nodes = new Map();
  #anchor = null;
  #columns = 1;
  #cell = 140;
  #layout = 0;
  #drawing = 0;
  #loading = 0;
  #lastTop = 0;
  #press = null;

  // `events` has changed(), when the selection changes; describe(photo), which returns { text, badges }; and
  // dropped(folder), after a drag to { kind, label }.
  constructor(box, events) {
    this.#box = box;
    this.#events = events;
    box.append(this.#sizer);
    box.addEventListener("scroll", () => this.#draw());
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("pointerdown", (event) => this.#down(event));
    box.addEventListener("pointermove", (event) => this.#move(event));
    box.addEventListener("pointerup", (event) => this.#up(event));
    box.addEventListener("pointercancel", () => this.#endDrag());
    box.addEventListener("focus", () => { if (!this.active && this.#flat.length) this.#choose(this.#flat[0].path, {}); });
    new ResizeObserver(() => this.#layOut()).observe(box);
  }

  get photos() { return this.#flat; }

  // Shows sections: { kind, label, name, note, photos: [{ path, ... }], timeline }.
  show(sections) {
    const before = this.#index.get(this.active);
    this.#sections = sections.filter((section) => section.photos.length);
    this.#flat = this.#sections.flatMap((section) => section.photos);
    this.#index = new Map(this.#flat.map((photo, index) => [photo.path, index]));
    for (const path of this.chosen) if (!this.#index.has(path)) this.chosen.delete(path);
    if (!this.#index.has(this.active)) this.active = before === undefined ? null : this.#flat[Math.min(before, this.#flat.length - 1)]?.path ?? null;
    if (!this.#index.has(this.#anchor)) this.#anchor = this.active;
    this.#layOut();
    this.#events.changed();
  }

  reveal(kind, label) {
    const section = this.#sections.find((one) => one.kind === kind && one.label === label);
    if (section) this.#box.scrollTop = section.top;
  }

  clear() {
    this.chosen.clear();
    this.#changed();
  }

  // MARK: Drawing

  #layOut() {
    const width = this.#box.clientWidth - 2 * gap;
    if (width <= 0) return;
    this.#columns = Math.max(3, Math.floor((width + gap) / (140 + gap)));
    this.#cell = (width + gap) / this.#columns - gap;
    let top = 0, first = 0;
    for (const section of this.#sections) {
      Object.assign(section, { top, first, rows: Math.ceil(section.photos.length / this.#columns) });
      top += headHeight + section.rows * (this.#cell + gap) + gap;
      first += section.photos.length;
    }
    this.#sizer.style.height = `${top}px`;
    // Nodes are kept and placed again, so that photos do not flicker.
    this.#layout += 1;
    this.#drawNow();
  }

  #draw() {
    this.#drawing ||= requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#drawNow();
    });
  }

  #drawNow() {
    const { scrollTop, clientHeight } = this.#box, from = scrollTop - beyond, to = scrollTop + clientHeight + beyond, seen = new Set();
    for (const section of this.#sections) {
      if (section.top > to || section.top + headHeight + section.rows * (this.#cell + gap) < from) continue;
      seen.add(this.#head(section));
      const start = section.top + headHeight, step = this.#cell + gap;
      const firstRow = Math.max(0, Math.floor((from - start) / step)), lastRow = Math.min(section.rows - 1, Math.floor((to - start) / step));
      for (let at = firstRow * this.#columns; at < Math.min(section.photos.length, (lastRow + 1) * this.#columns); at += 1) seen.add(this.#photo(section, at));
    }
    for (const [key, node] of this.#nodes) {
      if (seen.has(key)) continue;
      node.querySelector("img")?.removeAttribute("src");
      node.remove();
      this.#nodes.delete(key);
    }
    const isFast = Math.abs(scrollTop - this.#lastTop) > fastScroll;
    this.#lastTop = scrollTop;
    clearTimeout(this.#loading);
    if (isFast) this.#loading = setTimeout(() => this.#load(), 80);
    else this.#load();
    this.#mark();
  }

  #load() {
    for (const node of this.#nodes.values()) {
      const picture = node.querySelector("img");
      if (picture && !picture.hasAttribute("src")) picture.src = picture.dataset.src;
    }
  }

  // Returns the key of a node after making it, or placing it in a new layout.
  #place(key, make, fill) {
    const node = this.#nodes.get(key) ?? make();
    if (node.layout === this.#layout) return key;
    node.layout = this.#layout;
    fill(node);
    if (!node.isConnected) this.#sizer.append(node);
    this.#nodes.set(key, node);
    return key;
  }

  #head(section) {
    return this.#place(`${section.kind}/${section.label}`, () => make("div", "grid-head"), (head) => {
      const name = make("b"), note = make("span", "note");
      head.setAttribute("role", "presentation");
      head.style.transform = `translateY(${section.top}px)`;
      write(name, section.name);
      write(note, section.note);
      head.replaceChildren(name, note, ...(section.timeline ? [section.timeline()] : []));
      Object.assign(head.dataset, { kind: section.kind, label: section.label });
    });
  }

  #photo(section, at) {
    const photo = section.photos[at], index = section.first + at, step = this.#cell + gap;
    const fill = (node) => {
      const picture = node.firstChild, { text, badges } = this.#events.describe(photo);
      node.id = `photo-${index}`;
      node.setAttribute("aria-label", `${section.name}, ${text}`);
      node.setAttribute("aria-setsize", this.#flat.length);
      node.setAttribute("aria-posinset", index + 1);
      const x = gap + (at % this.#columns) * step, y = section.top + headHeight + Math.floor(at / this.#columns) * step;
      Object.assign(node.style, { transform: `translate(${x}px,${y}px)`, width: `${this.#cell}px`, height: `${this.#cell}px` });
      if (picture.dataset.src !== photo.thumb) {
        picture.removeAttribute("src");
        node.classList.remove("broken");
      }
      picture.dataset.src = photo.thumb;
      node.replaceChildren(picture, ...badges);
    };
    return this.#place(photo.path, () => this.#frame(photo.path), fill);
  }

  #frame(path) {
    const node = make("div", "photo"), picture = Object.assign(make("img"), { alt: "", draggable: false, decoding: "async" });
    node.setAttribute("role", "option");
    node.dataset.path = path;
    picture.addEventListener("error", () => node.classList.add("broken"));
    node.append(picture);
    return node;
  }

  #mark() {
    for (const [path, node] of this.#nodes) {
      if (node.getAttribute("role") !== "option") continue;
      node.setAttribute("aria-selected", this.chosen.has(path));
      node.classList.toggle("active", path === this.active);
    }
    const node = this.#nodes.get(this.active);
    if (node) this.#box.setAttribute("aria-activedescendant", node.id);
    else this.#box.removeAttribute("aria-activedescendant");
  }

  #changed() {
    this.#mark();
    this.#events.changed();
  }

  // MARK: Selecting

  // Makes a photo active. Selects it alone, toggles it, keeps the selection, or selects from the anchor to it.
  #choose(path, { isRange = false, isToggled = false, isKept = false }) {
    const index = this.#index.get(path), from = this.#index.get(this.#anchor) ?? index;
    if (isRange) this.chosen = new Set(this.#flat.slice(Math.min(from, index), Math.max(from, index) + 1).map((photo) => photo.path));
    else if (isToggled) this.chosen[this.chosen.has(path) ? "delete" : "add"](path);
    else if (!isKept) this.chosen = new Set([path]);
    if (!isRange) this.#anchor = path;
    this.active = path;
    this.#show(index);
    this.#changed();
  }

  #sectionOf(index) { return this.#sections.findLastIndex((section) => section.first <= index); }

  #show(index) {
    const section = this.#sections[this.#sectionOf(index)], row = Math.floor((index - section.first) / this.#columns);
    const top = section.top + (row ? headHeight + row * (this.#cell + gap) : 0), bottom = section.top + headHeight + (row + 1) * (this.#cell + gap);
    if (top < this.#box.scrollTop) this.#box.scrollTop = top;
    else if (bottom > this.#box.scrollTop + this.#box.clientHeight) this.#box.scrollTop = bottom - this.#box.clientHeight;
  }

  // The index one row further, in the same column.
  #beside(index, step) {
    const at = this.#sectionOf(index), section = this.#sections[at], inside = index - section.first, column = inside % this.#columns;
    const row = Math.floor(inside / this.#columns) + step, other = this.#sections[at + step];
    const place = (where, line) => where.first + Math.min(where.photos.length - 1, line * this.#columns + column);
    if (row >= 0 && row < section.rows) return place(section, row);
    return other ? place(other, step > 0 ? 0 : other.rows - 1) : index;
  }

  #key(event) {
    if (event.altKey || !this.#flat.length) return;
    const index = this.#index.get(this.active) ?? 0, last = this.#flat.length - 1, isControl = event.ctrlKey || event.metaKey;
    const pageful = Math.max(1, Math.floor(this.#box.clientHeight / (this.#cell + gap)));
    const far = (step) => Array.from({ length: pageful }).reduce((at) => this.#beside(at, step), index);
    const moves = {
      ArrowLeft: () => index - 1, ArrowRight: () => index + 1, ArrowUp: () => this.#beside(index, -1), ArrowDown: () => this.#beside(index, 1),
      Home: () => 0, End: () => last, PageUp: () => far(-1), PageDown: () => far(1),
    };
    if (moves[event.key]) {
      const next = Math.max(0, Math.min(last, moves[event.key]()));
      this.#choose(this.#flat[next].path, { isRange: event.shiftKey, isKept: isControl });
    } else if (event.key === " ") this.#choose(this.#flat[index].path, { isToggled: true });
    else if (event.key === "Escape") this.clear();
    else if (isControl && event.key.toLowerCase() === "a") {
      this.chosen = new Set(this.#sections[this.#sectionOf(index)].photos.map((photo) => photo.path));
      this.#changed();
    } else return;
    event.preventDefault();
  }

  #down(event) {
    const path = event.target.closest("[data-path]")?.dataset.path;
    if (event.button || !path) return;
    this.#press = { path, x: event.clientX, y: event.clientY, isDrag: false, wasChosen: this.chosen.has(path), isTouch: event.pointerType === "touch" };
    if (this.#press.isTouch) return;
    const isControl = event.ctrlKey || event.metaKey;
    if (event.shiftKey || isControl) this.#press.isDone = true;
    if (event.shiftKey || isControl || !this.#press.wasChosen) this.#choose(path, { isRange: event.shiftKey, isToggled: isControl });
  }

  #move(event) {
    const press = this.#press;
    if (!press || press.isTouch) return;
    if (!press.isDrag && Math.hypot(event.clientX - press.x, event.clientY - press.y) > leastDrag) {
      press.isDrag = true;
      this.#box.setPointerCapture(event.pointerId);
      write(page.ghost, plural(this.chosen.size, "photo"));
      page.ghost.hidden = false;
    }
    if (!press.isDrag) return;
    page.ghost.style.transform = `translate(${event.clientX + 12}px,${event.clientY + 12}px)`;
    this.#light(document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-label]"));
  }

  #light(next) {
    this.#press.target?.classList.remove("target");
    next?.classList.add("target");
    this.#press.target = next;
  }

  #up() {
    const press = this.#press;
    if (!press) return;
    const target = press.isDrag ? press.target : null;
    this.#endDrag();
    if (target) this.#events.dropped({ kind: target.dataset.kind, label: target.dataset.label });
    else if (press.isTouch) this.#choose(press.path, { isToggled: true });
    else if (!press.isDrag && press.wasChosen && !press.isDone) this.#choose(press.path, {});
  }

  #endDrag() {
    if (this.#press) this.#light(null);
    this.#press = null;
    page.ghost.hidden = true;
  }
}
