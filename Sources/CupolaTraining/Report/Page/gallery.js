// Filters the photos by answer and building. The page is readable without this script.
"use strict";
(function () {
  const form = document.getElementById("filters"), count = form.querySelector("output");
  const chosen = ["verdict", "building"].map(function (name) {
    return { name: name, field: form.elements[name] };
  });
  const groups = Array.from(document.querySelectorAll("section.group")).map(function (section) {
    const id = section.getAttribute("aria-labelledby");
    return {
      section: section, photos: Array.from(section.querySelectorAll("li")),
      link: document.querySelector('nav a[href="#' + id + '"]').parentNode,
    };
  });

  function update() {
    let shown = 0, all = 0;
    groups.forEach(function (group) {
      let own = 0;
      group.photos.forEach(function (photo) {
        photo.hidden = chosen.some(function (choice) {
          return choice.field.value !== "" && photo.dataset[choice.name] !== choice.field.value;
        });
        if (!photo.hidden) own += 1;
      });
      group.section.hidden = group.link.hidden = own === 0;
      shown += own;
      all += group.photos.length;
    });
    count.textContent = shown === all ? "" : shown + " of " + all + " photos shown";
  }

  form.addEventListener("change", update);
  // The fields have their new values only after this event.
  form.addEventListener("reset", function () { setTimeout(update, 0); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  form.hidden = false;
  update();
})();
