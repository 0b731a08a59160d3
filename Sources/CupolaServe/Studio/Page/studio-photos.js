// The step Photos.
// 1. List the folders, and their photos in a grid. 2. Move, rename, merge and remove. 3. Show a selected photo with the
// findings of `cupola check`, and what it resembles.

import { inWords, make, write } from "./answer.js";
import { object, text } from "./connection.js";
import { act, address, button, choose, folders, isNew, list, nameOf, page, plural, state, watch } from "./studio-core.js";
import { Grid } from "./studio-grid.js";
import { element } from "./map.js";

const findingNames = {
  duplicate: ["Duplicate", "="], label: ["Other label?", "?"], blurred: ["Blurred", "~"], dark: ["Dark", "\u25d0"],
  unusable: ["Unusable", "\u00d7"], elsewhere: ["Elsewhere", "\u2316"],
};
const svgSize = [150, 22];
const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

let photos = [], loadedKey = null, isLoading = false, current = null;
const loaders = [];
const grid = new Grid(page.grid, { changed: showChosen, describe, dropped: (folder) => movePhotos(folder) });

// Calls `show` with the photos whenever they change.
export function watchPhotos(show) { loaders.push(show); }

export function thumb(path, version = "") {
  return address(`api/thumb?path=${encodeURIComponent(path)}&v=${version}`).href;
}

export function startPhotos() {
  watch(() => {
    load();
    showFolders();
  });
  page.filter.addEventListener("change", showGrid);
  page.check.addEventListener("click", () => act("api/job", { kind: "check" }, "Checking the photos..."));
  page.move.addEventListener("click", askMove);
  page.remove.addEventListener("click", removePhotos);
  page.rename.addEventListener("click", () => rename(false));
  page.merge.addEventListener("click", () => rename(true));
  page.delete.addEventListener("click", removeFolder);
  page.photos.addEventListener("keydown", press);
  for (const folderList of [page.labels, page.shelf]) folderList.addEventListener("keydown", pressFolder);
}

// MARK: Photos

// Loads the list of photos if it has changed. State changes while it loads load it again.
async function load() {
  if (isLoading) return;
  isLoading = true;
  try {
    while (state.photosRevision !== loadedKey) {
      const wanted = state.photosRevision, response = await fetch(address("api/photos"), { cache: "no-store" });
      if (!response.ok) break;
      const answer = object(await response.json());
      photos = list(answer?.photos).filter((one) => text(one?.[0])).map(([path, time, longitude, latitude, version, session]) => {
        const [kind, label] = path.split("/");
        return { path, kind, label, time, session, place: longitude === null ? null : [longitude, latitude], thumb: thumb(path, version) };
      });
      loadedKey = wanted;
      for (const show of loaders) show(photos);
    }
  } catch {
    // The next state loads it again.
  }
  isLoading = false;
  showGrid();
}

function findingsOf(path) { return list(state?.findings?.byPhoto?.[path]); }

function showGrid() {
  if (!state || !isNew("grid", loadedKey, state.labels, state.negatives, state.findings?.time, page.filter.value)) return;
  const byFolder = Map.groupBy(photos, ({ kind, label }) => `${kind}/${label}`);
  const isShown = ({ path }) => !page.filter.value || findingsOf(path).some(({ kind }) => page.filter.value === "any" || kind === page.filter.value);
  grid.show(folders().map((folder) => {
    const all = byFolder.get(`${folder.kind}/${folder.label}`) ?? [], shown = page.filter.value ? all.filter(isShown) : all;
    const sessions = sessionsOf(all);
    const note = [plural(shown.length, "photo"), sessions.length ? plural(folder.sessions ?? sessions.length, "session") : null, text(folder.note)].filter(Boolean).join(" \u00b7 ");
    return { ...folder, note, photos: shown, timeline: sessions.length ? () => timeline(sessions) : null };
  }));
  page.empty.hidden = grid.photos.length > 0;
  page.grid.hidden = !grid.photos.length;
}

// The sessions that have a time, in their order: { start, photos }.
function sessionsOf(all) {
  const timed = all.filter(({ session, time }) => session !== null && time !== null);
  return Array.from(Map.groupBy(timed, ({ session }) => session).values(), (photos) => ({ start: Math.min(...photos.map(({ time }) => time)), photos: photos.length }))
    .sort((a, b) => a.start - b.start);
}

function timeline(sessions) {
  const [width, height] = svgSize, [first, last] = [sessions[0].start, sessions.at(-1).start], most = Math.max(...sessions.map((one) => one.photos));
  const x = (time) => 8 + (last > first ? (time - first) / (last - first) : 0.5) * (width - 16);
  const words = sessions.slice(0, 12).map((one) => `${day.format(one.start * 1000)}: ${plural(one.photos, "photo")}`).join(", ");
  const svg = element("svg", { class: "timeline", role: "img", "aria-label": `Sessions: ${words}`, viewBox: `0 0 ${width} ${height}`, width, height });
  const title = element("title", {});
  title.textContent = words;
  svg.append(title, element("line", { x1: 4, x2: width - 4, y1: height / 2, y2: height / 2 }));
  for (const one of sessions) svg.append(element("circle", { cx: x(one.start).toFixed(1), cy: height / 2, r: (2.5 + 5 * Math.sqrt(one.photos / most)).toFixed(1) }));
  return svg;
}

function describe(photo) {
  const findings = findingsOf(photo.path), names = [...new Set(findings.map(({ kind }) => kind))];
  const words = [photo.path.split("/").pop(), photo.time === null ? null : moment.format(photo.time * 1000), ...names.map((kind) => findingNames[kind]?.[0] ?? kind)];
  return {
    text: words.filter(Boolean).join(", "),
    badges: names.slice(0, 3).map((kind, index) => {
      const badge = Object.assign(make("span", "badge"), { textContent: findingNames[kind]?.[1] ?? "!", title: findingNames[kind]?.[0] ?? kind });
      badge.style.insetInlineStart = `${4 + index * 24}px`;
      return badge;
    }),
  };
}

// MARK: Folders

function showFolders() {
  const all = folders(), focused = document.activeElement?.closest("[data-label]")?.dataset, findings = object(state.findings);
  if (current && !all.some(isCurrent)) current = null;
  if (!isNew("folders", all, current, state.missing, state.findings?.time, loadedKey)) return;
  for (const [place, isShelf] of [[page.labels, false], [page.shelf, true]]) {
    const shown = all.filter((one) => one.isShelf === isShelf), first = shown.find(isCurrent) ?? shown[0];
    place.replaceChildren(...shown.map((folder) => folderRow(folder, folder === first)));
    if (!shown.length) place.append(Object.assign(make("li", "note"), { textContent: "None yet" }));
  }
  if (focused?.label) (rowOf(focused) ?? (current && rowOf(current)) ?? page.labels.querySelector("button"))?.focus();
  for (const name of ["rename", "merge", "delete"]) page[name].disabled = !current;
  write(page.missing, state.missing.filter(text).length ? `Missing: ${state.missing.join("; ")}` : "");
  const kinds = Map.groupBy(Object.values(findings?.byPhoto ?? {}).flatMap((found) => [...new Set(list(found).map((one) => one.kind))]), (kind) => kind);
  const options = [["", "All photos"], ...(kinds.size ? [["any", "With findings"]] : []), ...Array.from(kinds, ([kind, { length }]) => [kind, `${findingNames[kind]?.[0] ?? inWords(kind)} (${length})`])];
  const chosen = page.filter.value;
  const general = [...list(findings?.general), ...list(findings?.standNext).map((one) => `Stand here next: ${text(one.text) ?? one.label} (${one.lat}, ${one.lon})`)].filter(text);
  page.general.hidden = !general.length;
  write(page["general-title"], plural(general.length, "finding"));
  page["general-list"].replaceChildren(...general.map((words) => Object.assign(make("li"), { textContent: words })));
  page.filter.replaceChildren(...options.map(([value, textContent]) => Object.assign(make("option"), { value, textContent, selected: value === chosen })));
}

function isCurrent(folder) { return folder.kind === current?.kind && folder.label === current.label; }

function folderRow(folder, isReachable) {
  const row = make("li"), button = Object.assign(make("button"), { type: "button", tabIndex: isReachable ? 0 : -1, title: text(folder.note) ?? folder.label });
  const count = Object.assign(make("span", "count"), { textContent: folder.photos }), name = Object.assign(make("bdi"), { textContent: folder.name });
  Object.assign(button.dataset, { kind: folder.kind, label: folder.label });
  button.classList.toggle("none", folder.photos === 0);
  button.setAttribute("aria-current", isCurrent(folder));
  button.setAttribute("aria-label", `${folder.name}, ${folder.photos ? plural(folder.photos, "photo") : "no photos"}${folder.note ? `, ${folder.note}` : ""}`);
  button.append(name, count);
  if (folder.note) button.append(Object.assign(make("span", "note"), { textContent: folder.note }));
  button.addEventListener("click", () => select(folder));
  row.append(button);
  return row;
}

function rowOf({ kind, label }) {
  return [...page.labels.querySelectorAll("button"), ...page.shelf.querySelectorAll("button")].find((one) => one.dataset.kind === kind && one.dataset.label === label);
}

function select({ kind, label }) {
  current = { kind, label };
  grid.reveal(kind, label);
  showFolders();
  rowOf(current)?.focus();
}

function pressFolder(event) {
  const rows = [...page.labels.querySelectorAll("button"), ...page.shelf.querySelectorAll("button")], at = rows.indexOf(event.target);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (at < 0 || next === undefined || !rows[next]) return;
  event.preventDefault();
  const { kind, label } = rows[next].dataset;
  select({ kind, label });
}

// MARK: Changes

// The selected photos in their order. In the grid, the active photo if none is selected.
function chosenPaths() {
  if (!grid.chosen.size && grid.active && document.activeElement === page.grid) return [grid.active];
  return grid.photos.map(({ path }) => path).filter((path) => grid.chosen.has(path));
}

async function movePhotos(folder, paths = chosenPaths()) {
  const moved = paths.filter((path) => !path.startsWith(`${folder.kind}/${folder.label}/`));
  if (moved.length) await act("api/change", { op: "move", photos: moved, label: folder.label, kind: folder.kind }, `${plural(moved.length, "photo")} moved to ${folder.name ?? nameOf(folder.label, folder.kind)}.`);
}

async function askMove() {
  const paths = chosenPaths(), folder = paths.length ? await choose(`Move ${plural(paths.length, "photo")} to`, "Move") : null;
  if (folder) await movePhotos(folder, paths);
  page.grid.focus();
}

async function removePhotos() {
  const removed = chosenPaths();
  if (removed.length) await act("api/change", { op: "remove", photos: removed }, `${plural(removed.length, "photo")} removed. Undo brings them back.`);
}

// Renames the current folder, or merges it with another one.
async function rename(isMerge) {
  const folder = folders().find(isCurrent);
  if (!folder || !folder.photos) return;
  const title = isMerge ? `Merge ${folder.name} with` : `Rename ${folder.name} to`;
  const to = await choose(title, isMerge ? "Merge" : "Rename", { value: isMerge ? "" : folder.label, isNew: !isMerge, except: folder });
  if (!to || to.label === folder.label && to.kind === folder.kind) return;
  const done = await act("api/change", { op: "rename", label: folder.label, kind: folder.kind, to: to.label, toKind: to.kind }, `${folder.name} ${to.isNew ? "renamed to" : "merged with"} ${to.name}.`);
  if (!done) return;
  current = { kind: to.kind, label: to.label };
  showFolders();
  if (document.activeElement === document.body) rowOf(current)?.focus();
}

async function removeFolder() {
  const removed = photos.filter(isCurrent).map(({ path }) => path);
  if (removed.length) await act("api/change", { op: "remove", photos: removed }, `${nameOf(current.label, current.kind)} removed. Undo brings it back.`);
}

function press(event) {
  if (event.target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const row = event.target.closest(".labels [data-label]")?.dataset, isFolder = row !== undefined;
  const meant = row ?? grid.photos.find(({ path }) => path === grid.active);
  if (meant && (isFolder || event.key === "F2")) current = { kind: meant.kind, label: meant.label };
  if (event.key === "F2") rename(false);
  else if (event.key === "Delete" || event.key === "Backspace") isFolder ? removeFolder() : removePhotos();
  else if (event.key === "m" || event.key === "M") askMove();
  else return;
  event.preventDefault();
}

// MARK: The selected photo

function showChosen() {
  const { size } = grid.chosen, photo = size === 1 ? photos.find(({ path }) => grid.chosen.has(path)) : null;
  page.chosen.hidden = !size;
  write(page["chosen-count"], size ? `${size} selected` : "");
  page.detail.hidden = !photo;
  if (!photo) return page.detail.replaceChildren();
  const name = photo.path.split("/").pop(), facts = [nameOf(photo.label, photo.kind), photo.time === null ? "no capture time" : moment.format(photo.time * 1000), photo.place ? "with position" : "no position"];
  page.detail.replaceChildren(picture(photo.path, name), Object.assign(make("h2"), { textContent: name }), Object.assign(make("p", "note"), { textContent: facts.join(" \u00b7 ") }),
    ...findingsOf(photo.path).map((finding) => findingCard(photo, finding)));
}

function picture(path, alt) {
  return Object.assign(make("img", "large"), { src: address(`api/photo?path=${encodeURIComponent(path)}`).href, alt, draggable: false });
}

function findingCard(photo, { kind, text: words, other }) {
  const card = make("div", "finding"), row = make("div", "row"), match = photos.find(({ path }) => path === other);
  card.append(Object.assign(make("h3"), { textContent: findingNames[kind]?.[0] ?? inWords(kind) }), Object.assign(make("p"), { textContent: text(words) ?? "" }), row);
  if (match) {
    const figure = make("figure"), caption = Object.assign(make("figcaption", "note"), { textContent: `${nameOf(match.label, match.kind)}: ${match.path.split("/").pop()}` });
    figure.append(picture(match.path, "The other photo"), caption);
    card.insertBefore(figure, row);
    if (match.label !== photo.label) row.append(button(`Move to ${nameOf(match.label, match.kind)}`, () => change({ op: "move", photos: [photo.path], label: match.label, kind: match.kind })));
    if (kind === "duplicate") row.append(button("Remove the other", () => change({ op: "remove", photos: [match.path] })));
  }
  if (kind !== "label") row.append(button("Remove this photo", () => change({ op: "remove", photos: [photo.path] })));
  return card;
}

async function change(body) { if (await act("api/change", body)) page.grid.focus(); }
