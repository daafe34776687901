// The runs under Models/: their learning curves, and a table.

import { $, ask, create, draw, labelStep, number, short } from "./common.js";

const colors = ["#c0603a", "#3b7fb6", "#5a9a4d", "#8f5ea8", "#c79a2c", "#3f9c96"];
const shown = new Map();   // name -> {reports, color, isVisible, row}
let colorsUsed = 0;
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
      shown.set(run.name, {
        reports: [], color: colors[colorsUsed++ % colors.length], isVisible: index < 3, row: runRow(run.name)
      });
    });
    for (const name of [...shown.keys()]) if (!list.some(run => run.name === name)) shown.delete(name);
    for (const run of list) {
      // One that cannot be read now leaves the others alone; the next refresh asks again.
      if (shown.get(run.name).isVisible) await refreshReports(run).catch(() => {});
    }
    // Those that are training first, else by name, so that rows keep their places.
    list.sort((a, b) => b.isTraining - a.isTraining || a.name.localeCompare(b.name));
    list.forEach(fillRow);
    const rows = list.map(run => shown.get(run.name).row.element);
    if (rows.some((row, index) => $("runRows").children[index] !== row) || $("runRows").children.length !== rows.length) {
      $("runRows").replaceChildren(...rows);
    }
    drawChart();
    $("runsMessage").textContent = "";
  } finally {
    isRefreshing = false;
  }
}

export function failToRefresh(error) {
  $("runsMessage").textContent = `${error.message} What is below may be out of date.`;
}

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
  known.reports = await ask(path);
}

// A row of the table, with the cells to fill.
function runRow(name) {
  const box = create("input", { type: "checkbox" });
  box.onchange = () => { shown.get(name).isVisible = box.checked; drawChart(); refresh().catch(failToRefresh); };
  const swatch = create("span", { className: "swatch" });
  const text = create("span");
  const cells = ["episodes", "minutes", "moves/s", "in play", "evaluated"].map(() => create("td"));
  const element = create("tr", {}, create("td", {}, create("label", {}, box, " ", swatch, text)), ...cells);
  return { element, box, swatch, text, cells };
}

// Minutes of training. Reports of early versions have only those of the whole run.
const minutes = report => (report.trainingSeconds ?? report.wallSeconds) / 60;

function fillRow({ name, last, isTraining }) {
  const known = shown.get(name);
  const { box, swatch, text, cells } = known.row;
  box.checked = known.isVisible;
  swatch.style.background = known.color;
  text.textContent = name + (isTraining ? " (training)" : "");
  // The reports of a run that is not shown are not asked for.
  const evaluation = known.isVisible && known.reports.findLast(report => report.evaluation)?.evaluation;
  const texts = last ? [
    number(last.episodes), minutes(last).toFixed(1), (last.movesPerSecond / 1e6).toFixed(2) + " M",
    last.games === 0 ? "–" : number(last.meanScore),
    evaluation ? number(evaluation.meanScore) : known.isVisible ? "–" : ""] : [];
  cells.forEach((cell, index) => { cell.textContent = texts[index] ?? ""; });
}

// The points of a line, one for every `width` of the axis: the means of several reports, weighted by their games.
function thinned(points, width) {
  const parts = new Map();
  for (const { x, y, weight } of points) {
    const key = Math.floor(x / width);
    const part = parts.get(key) ?? { x, sum: 0, weight: 0 };
    parts.set(key, { x, sum: part.sum + y * weight, weight: part.weight + weight });
  }
  return [...parts.values()].map(({ x, sum, weight }) => ({ x, y: sum / weight }));
}

export function drawChart() {
  const axis = $("axis").value;
  const at = report => axis === "minutes" ? minutes(report) : report[axis];
  const curves = [...shown.values()].filter(run => run.isVisible).map(run => {
    let before = 0;
    const points = run.reports.map(report => {
      const games = report.games ?? report.episodes - before;
      before = report.episodes;
      return { x: at(report), y: report.meanScore, weight: games };
    }).filter(point => point.weight > 0);
    const evaluations = run.reports.filter(report => report.evaluation)
      .map(report => ({ x: at(report), y: report.evaluation.meanScore, ci: report.evaluation.ci95 }));
    return { color: run.color, points, evaluations };
  });
  const largest = values => values.reduce((most, value) => Math.max(most, value), 0) || 1;
  const right = largest(curves.flatMap(curve => [...curve.points, ...curve.evaluations]).map(point => point.x));
  for (const curve of curves) curve.line = thinned(curve.points, right / 200);
  const all = curves.flatMap(curve => [...curve.line, ...curve.evaluations]);
  const chart = $("chart");
  chart.replaceChildren();
  if (!all.length || !chart.clientWidth) return;
  const top = 1.05 * largest(all.map(point => point.ci?.[1] ?? point.y));
  const width = chart.clientWidth;
  chart.setAttribute("viewBox", `0 0 ${width} 300`);
  const x = value => 64 + value / right * (width - 80), y = value => 270 - value / top * 258;
  const add = (name, attributes, text) => draw(chart, name, attributes, text);
  for (let step = labelStep(top, 5), value = 0; value <= top; value += step) {
    add("line", { class: "axis", x1: 64, x2: width - 16, y1: y(value), y2: y(value) });
    add("text", { x: 58, y: y(value) + 4, "text-anchor": "end" }, short(value));
  }
  for (let step = labelStep(right, width / 110), value = step; value <= right; value += step) {
    add("text", { x: x(value), y: 288, "text-anchor": "middle" }, short(Number(value.toPrecision(6))));
  }
  for (const { color, line, evaluations } of curves) {
    add("polyline", {
      points: line.map(point => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" "),
      fill: "none", stroke: color, "stroke-width": 1.5
    });
    for (const point of evaluations) {
      add("line", { x1: x(point.x), x2: x(point.x), y1: y(point.ci[0]), y2: y(point.ci[1]), stroke: color });
      const dot = add("circle", { cx: x(point.x), cy: y(point.y), r: 4, fill: color });
      draw(dot, "title", {}, `${number(point.y)} [${point.ci.map(number).join(", ")}]`);
    }
  }
}
$("axis").onchange = drawChart;
addEventListener("resize", drawChart);
