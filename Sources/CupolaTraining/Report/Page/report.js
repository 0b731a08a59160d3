// Sorts and filters the tables of numbers. The page is readable without this script.
"use strict";
(function () {
  // Smaller tables need no sorting or filtering.
  const leastToSort = 3, leastToFilter = 12;

  // Returns the first number of a cell, or NaN for "-" and texts.
  function number(text) {
    const found = text.match(/^[^0-9]{0,2}?(-?\d+(?:\.\d+)?)/);
    return found ? parseFloat(found[1]) : NaN;
  }

  function compare(a, b) {
    const x = number(a), y = number(b);
    if (!isNaN(x) && !isNaN(y)) return x - y;
    if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
    return a.localeCompare(b, undefined, { numeric: true });
  }

  function makeSortable(table) {
    const body = table.tBodies[0], rows = Array.from(body.rows);
    const headers = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
    headers.forEach(function (header, column) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = header.textContent;
      header.textContent = "";
      header.appendChild(button);
      button.addEventListener("click", function () {
        // Cycle through ascending, descending and the original order.
        const was = header.getAttribute("aria-sort");
        const now = was === null ? "ascending" : was === "ascending" ? "descending" : null;
        headers.forEach(function (other) { other.removeAttribute("aria-sort"); });
        if (now) header.setAttribute("aria-sort", now);
        const order = rows.slice();
        if (now) {
          const sign = now === "ascending" ? 1 : -1;
          const text = function (row) { return row.cells[column].textContent.trim(); };
          order.sort(function (a, b) {
            const x = text(a), y = text(b);
            if ((x === "-") !== (y === "-")) return x === "-" ? 1 : -1;
            return sign * compare(x, y);
          });
        }
        order.forEach(function (row) { body.appendChild(row); });
      });
    });
  }

  function makeFilterable(table, place) {
    const rows = Array.from(table.tBodies[0].rows);
    const label = document.createElement("label"), field = document.createElement("input");
    const count = document.createElement("output");
    label.className = "filter";
    field.type = "search";
    field.autocomplete = "off";
    label.append("Filter ", field, " ", count);
    place.parentNode.insertBefore(label, place);
    field.addEventListener("input", function () {
      const wanted = field.value.trim().toLowerCase();
      let shown = 0;
      rows.forEach(function (row) {
        const names = row.textContent + " " + (row.cells[0].title || "");
        row.hidden = wanted !== "" && !names.toLowerCase().includes(wanted);
        if (!row.hidden) shown += 1;
      });
      count.textContent = wanted === "" ? "" : shown + " of " + rows.length;
    });
  }

  document.querySelectorAll("table.data:not(.prose)").forEach(function (table) {
    const rows = table.tBodies[0].rows.length;
    if (rows >= leastToSort) makeSortable(table);
    if (rows >= leastToFilter) makeFilterable(table, table.parentNode);
  });

  // Open the folds around the target of a link.
  function showTarget() {
    const target = document.getElementById(location.hash.slice(1));
    for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
  }
  window.addEventListener("hashchange", showTarget);
  showTarget();

  // Mark tables that can be scrolled sideways.
  function markOverflow() {
    document.querySelectorAll(".scroll").forEach(function (box) {
      box.classList.toggle("more", box.scrollWidth > box.clientWidth + 1);
    });
  }
  window.addEventListener("resize", markOverflow);
  document.addEventListener("toggle", markOverflow, true);
  markOverflow();
})();
