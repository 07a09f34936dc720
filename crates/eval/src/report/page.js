(() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const root = document.documentElement;
  const cases = JSON.parse(byId("data").textContent);
  const body = byId("cases").tBodies[0];
  const STEP = 200;
  let limit = STEP;

  const theme = new URLSearchParams(location.hash.slice(1)).get("theme");
  if (theme === "light" || theme === "dark") root.classList.add(theme);
  byId("theme").addEventListener("click", () => {
    const dark = root.classList.contains("dark") || (!root.classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
    root.classList.remove("light", "dark");
    root.classList.add(dark ? "light" : "dark");
  });

  const make = (name, text, kind) => {
    const node = document.createElement(name);
    if (text !== undefined && text !== null) node.textContent = String(text);
    if (kind) node.className = kind;
    return node;
  };
  const row = (cells, name) => {
    const line = make("tr");
    cells.forEach((cell) => line.append(make(name, cell)));
    return line;
  };
  const list = (head, rows) => {
    const table = make("table");
    table.createTHead().append(row(head, "th"));
    const inner = table.createTBody();
    rows.forEach((cells) => inner.append(row(cells, "td")));
    return table;
  };

  const detail = (item) => {
    const line = make("tr", null, "detail");
    const cell = make("td");
    cell.colSpan = 7;
    cell.append(make("pre", item.text));
    if (item.evidence && item.evidence.length) {
      cell.append(list(["class", "tool", "found", "relation", "quality", "strength", "count", "places"],
        item.evidence.map((entry) => [entry.class, entry.tool, entry.found, entry.relation, entry.quality, entry.strength, entry.match_count, entry.places.join(", ")])));
    }
    if (item.cited && item.cited.length) {
      cell.append(list(["cited", "what", "text"], item.cited.slice(0, 10).map((spot) => [spot.path + ":" + spot.line_start, spot.what, spot.text])));
    }
    line.append(cell);
    return line;
  };

  const show = (item) => {
    const line = make("tr", null, "case");
    const opener = make("button", item.name);
    opener.type = "button";
    opener.setAttribute("aria-expanded", "false");
    const first = make("td");
    first.append(opener);
    line.append(first, make("td", item.question), make("td", item.ended.replaceAll("_", " ")), make("td", item.level ?? "-"),
      make("td", item.score === null ? "-" : item.score.toFixed(2)), make("td", item.ms.toFixed(0)),
      make("td", item.verdict, item.verdict === "right" ? "good" : "bad"));
    line.addEventListener("click", () => {
      const open = opener.getAttribute("aria-expanded") === "true";
      opener.setAttribute("aria-expanded", String(!open));
      if (open) line.nextElementSibling.remove(); else line.after(detail(item));
    });
    return line;
  };

  const filters = ["verdict", "suite", "level"];
  filters.forEach((name) => {
    const select = byId(name);
    const values = [...new Set(cases.map((item) => item[name] ?? "-"))].sort();
    ["all", ...values].forEach((value) => select.append(new Option(value, value)));
    select.addEventListener("change", () => { limit = STEP; draw(); });
  });
  byId("search").addEventListener("input", () => { limit = STEP; draw(); });
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  byId("more").addEventListener("click", () => { limit += STEP; draw(); });

  const draw = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (item) => filters.every((name) => byId(name).value === "all" || (item[name] ?? "-") === byId(name).value)
      && words.every((word) => (item.name + " " + item.class + " " + item.question).toLowerCase().includes(word));
    const found = cases.filter(fits);
    body.replaceChildren(...found.slice(0, limit).map(show));
    byId("count").textContent = found.length + " of " + cases.length;
    byId("more").hidden = found.length <= limit;
  };
  draw();
  const open = new URLSearchParams(location.hash.slice(1)).get("open");
  const wanted = open && [...body.querySelectorAll("tr.case")].find((line) => line.firstChild.textContent === open);
  if (wanted) wanted.click();
  root.dataset.ready = String(body.querySelectorAll("tr.case").length);
})();
