// The runs under Models/: a table, and what is shown of those that are chosen in it.

import { Chart } from "./chart.js";
import { $, ask, create, number, restore, soon, store, stored } from "./common.js";
import * as configurations from "./configurations.js";
import { csv, curve, joined, measure, minutes, smoothed, tilesOf } from "./curves.js";

const shown = new Map();   // name -> {reports, color, isVisible, row}
// name -> [place of the colour, whether the person has chosen the run or not (null for neither), the name to show if the
// person has given it another]
const choices = new Map(storedChoices());
const chart = new Chart($("chart"), $("legend"));
let isRefreshing = false;

export async function refresh() {
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    const list = await ask("/api/runs");
    $("noRuns").hidden = list.length > 0;
    $("runs").hidden = list.length === 0;
    list.forEach((run, index) => {
      if (shown.has(run.name)) return;
      if (!choices.has(run.name)) choices.set(run.name, [nextColor(), null]);
      const [color, isChosen] = choices.get(run.name);
      shown.set(run.name, { reports: [], color: colorClasses(color), isVisible: isChosen ?? index < 3, row: runRow(run.name) });
    });
    for (const name of [...choices.keys()]) if (!list.some(run => run.name === name)) choices.delete(name);
    storeChoices();
    for (const name of [...shown.keys()]) if (!list.some(run => run.name === name)) shown.delete(name);
    for (const run of list) {
      // One that cannot be read now leaves the others alone; the next refresh asks again.
      if (shown.get(run.name).isVisible) await refreshReports(run).catch(() => {});
    }
    // Those that are training first, else by name, so that rows keep their places.
    list.sort((a, b) => b.isTraining - a.isTraining || a.name.localeCompare(b.name, "en", { numeric: true }));
    // Curves and the legend have the same order.
    for (const { name } of list) {
      const run = shown.get(name);
      shown.delete(name);
      shown.set(name, run);
    }
    list.forEach(fillRow);
    filterRows();
    const rows = list.map(run => shown.get(run.name).row.element);
    if (rows.some((row, index) => $("runRows").children[index] !== row) || $("runRows").children.length !== rows.length) {
      $("runRows").replaceChildren(...rows);
    }
    drawCurves();
    $("runsMessage").textContent = "";
  } finally {
    isRefreshing = false;
  }
}

export function failToRefresh(error) {
  $("runsMessage").textContent = `${error.message} What is below may be out of date.`;
}

// The classes of a colour. When all are used, lines are dashed.
const colorClasses = place => `run${place % 6}${place % 12 < 6 ? "" : " dashed"}`;

// The first colour that no run has.
function nextColor() {
  const used = new Set([...choices.values()].map(([color]) => color));
  let color = 0;
  while (used.has(color)) color += 1;
  return color;
}

function storedChoices() {
  try {
    return JSON.parse(stored("runs") ?? "[]").filter(([name, [color, isChosen, title]]) =>
      typeof name === "string" && Number.isSafeInteger(color) && color >= 0 && [true, false, null].includes(isChosen)
      && ["undefined", "string"].includes(typeof title));
  } catch {
    return [];
  }
}

function storeChoices() { store("runs", JSON.stringify([...choices])); }

// Asks for new reports. A run that was killed resumes from before its last reports, and may be a different run now.
async function refreshReports({ name, last }) {
  const known = shown.get(name);
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  if (!last || isSame(last, known.reports.at(-1))) return;
  const path = `/api/runs/${encodeURIComponent(name)}`;
  const from = (known.reports.at(-1)?.episodes ?? 0) - 1;
  if (from >= 0) {
    const news = await ask(path, { after: from });
    const start = known.reports.findIndex(report => report.episodes > from);
    if (isSame(news[0], known.reports[start])) {
      known.reports = known.reports.slice(0, start).concat(news);
      return;
    }
  }
  configurations.forget(name);
  known.reports = await ask(path);
}

// The name of a run on the page, which need not be that of its directory.
const titleOf = name => choices.get(name)?.[2] ?? name;

// Gives a run the name in a field; none gives it that of its directory again.
function rename(name, text) {
  const title = text.trim();
  choices.get(name)[2] = title === "" || title === name ? undefined : title;
  storeChoices();
  drawCurves();
}

// Lets the person write another name in the place of a run's.
function editTitle(name, label, button) {
  const field = create("input", { value: titleOf(name), className: "runName" });
  field.setAttribute("aria-label", `Name of ${name} on this page`);
  let isOpen = true;
  const close = isKept => {
    if (!isOpen) return;
    isOpen = false;
    if (isKept) rename(name, field.value);
    fillTitle(name);
    field.replaceWith(label);
  };
  field.onblur = () => close(true);
  field.onkeydown = event => {
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Otherwise Enter would press the button, which has the focus next.
    event.preventDefault();
    close(event.key === "Enter");
    button.focus();
  };
  label.replaceWith(field);
  field.focus();
  field.select();
}

function fillTitle(name) {
  const { title, button } = shown.get(name).row;
  title.textContent = titleOf(name);
  title.title = titleOf(name) === name ? name : `${titleOf(name)}: ${name}`;
  button.setAttribute("aria-label", `Rename ${titleOf(name)}`);
}

// A row of the table, with the cells to fill.
function runRow(name) {
  const box = create("input", { type: "checkbox" });
  box.onchange = () => {
    shown.get(name).isVisible = choices.get(name)[1] = box.checked;
    storeChoices();
    drawCurves();
    refresh().catch(failToRefresh);
  };
  const swatch = create("span");
  const state = create("span");
  const cells = Array.from({ length: 6 }, () => create("td"));
  const title = create("span", { className: "runName" });
  const label = create("label", {}, box, " ", swatch, title, state);
  const button = create("button", { className: "plain rename", textContent: "rename", title: "Give the run another name on this page" });
  button.onclick = () => editTitle(name, label, button);
  const element = create("tr", {}, create("td", {}, label, " ", button), ...cells);
  return { element, box, swatch, title, button, state, cells };
}

// Hides the rows of other names than those with the text of the filter.
function filterRows() {
  const text = $("filter").value.trim().toLowerCase();
  for (const [name, { row }] of shown) row.element.hidden = ![name, titleOf(name)].some(each => each.toLowerCase().includes(text));
}

// A time such as "1 h 20 min".
function duration(seconds) {
  const whole = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`;
}

function fillRow({ name, last, isTraining, secondsLeft, bestMeanScore }) {
  const known = shown.get(name);
  if (known.isTraining !== undefined && known.isTraining !== isTraining) configurations.forget(name);
  known.isTraining = isTraining;
  fillTitle(name);
  const { box, swatch, state, cells } = known.row;
  box.checked = known.isVisible;
  swatch.className = `swatch ${known.color}`;
  state.textContent = isTraining ? " (training)" : "";
  const texts = last ? [
    number(last.episodes), minutes(last).toFixed(1), (last.movesPerSecond / 1e6).toFixed(2) + " M",
    secondsLeft === undefined ? "" : duration(secondsLeft),
    last.games === 0 ? "–" : number(last.meanScore),
    bestMeanScore === undefined ? "–" : number(bestMeanScore)] : [];
  cells.forEach((cell, index) => { cell.textContent = texts[index] ?? ""; });
}

// The curves.

// Offers the tiles that the shown runs have rates of, and keeps the choice.
function offerMeasures(runs) {
  const names = ["score", ...tilesOf(runs.flatMap(run => run.reports)).map(String)];
  const select = $("measure"), chosen = stored("measure") ?? "score";
  if (names.join() === [...select.options].map(option => option.value).join()) return;
  select.replaceChildren(...names.map(name => new Option(name === "score" ? "mean score" : `games with ${name}`, name)));
  select.value = names.includes(chosen) ? chosen : "score";
}

function visibleCurves() {
  const runs = [...shown].filter(([, run]) => run.isVisible).map(([name, run]) => ({ name: titleOf(name), ...run }));
  offerMeasures(runs);
  let curves = runs.map(({ name, color, reports }) => ({ name, color, ...curve(reports, $("axis").value, $("measure").value) }));
  if ($("joined").checked) curves = joined(curves);
  const right = Math.max(0, ...curves.map(({ points }) => points.at(-1)?.x ?? 0));
  const width = right * $("smoothing").value / 100;
  return curves.map(run => ({ ...run, line: smoothed(run.points, width) }));
}

export function drawCurves() {
  const curves = visibleCurves();
  chart.show(curves, {
    axis: $("axis").value, measure: $("measure").value, isSmoothed: Number($("smoothing").value) > 0,
    isLogarithmic: $("logarithmic").checked
  });
  $("smoothingText").textContent = $("smoothing").value === "0" ? "off" : `over ${$("smoothing").value} %`;
  $("smoothing").setAttribute("aria-valuetext", $("smoothingText").textContent);
  if ($("curveValues").open) chart.fillTable($("valueTable"));
  configurations.show([...shown].filter(([, run]) => run.isVisible).map(([name]) => [name, titleOf(name)]));
}

function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  create("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
const fileName = type => `learn2048-${measure($("measure").value).column}.${type}`;

const drawSoon = soon(drawCurves);
for (const id of ["axis", "smoothing", "measure"]) {
  // The measures are known with the runs.
  if (id !== "measure") restore(id);
  $(id).addEventListener("input", () => {
    store(id, $(id).value);
    drawSoon();
  });
}
for (const id of ["logarithmic", "joined"]) {
  $(id).checked = stored(id) === "yes";
  $(id).onchange = () => {
    store(id, $(id).checked ? "yes" : "no");
    drawSoon();
  };
}
$("filter").oninput = filterRows;
$("curveValues").ontoggle = drawCurves;
$("saveSVG").onclick = () => download(fileName("svg"), "image/svg+xml", chart.svg());
$("saveCSV").onclick = () => download(fileName("csv"), "text/csv", csv(visibleCurves(), $("axis").value, $("measure").value));
addEventListener("resize", drawSoon);
