// The learning curves of runs as numbers: points, means, values at a place, and a table of comma-separated values.

// Minutes of training. Reports of early versions have only those of the whole run.
export const minutes = report => (report.trainingSeconds ?? report.wallSeconds) / 60;

// The horizontal axes by name.
export const axes = {
  minutes: { title: "minutes of training", at: minutes },
  episodes: { title: "episodes", at: report => report.episodes },
  moves: { title: "moves", at: report => report.moves }
};

// The share of the games of a report that reached a tile; null if the report does not say. A report lists tiles from
// 2048 up to the largest, or the largest only.
function rate(report, tile) {
  const tiles = Object.keys(report.reached).map(Number);
  if (tiles.includes(tile)) return report.reached[tile];
  return tiles.every(other => other < tile) ? 0 : null;
}

// What curves show: "score" or a tile. A share is in per cent.
export function measure(name) {
  if (name === "score") return { title: "mean score in points", column: "meanScore", unit: "", value: report => report.meanScore };
  const tile = Number(name);
  return {
    title: `% of games that reached ${tile}`, column: `reached${tile}`, unit: " %", highest: 100,
    value: report => {
      const share = rate(report, tile);
      return share === null ? null : 100 * share;
    }
  };
}

// The tiles that reports have rates of, in ascending order.
export function tilesOf(reports) {
  return [...new Set(reports.flatMap(report => Object.keys(report.reached)))].map(Number).sort((a, b) => a - b);
}

// The curve of a run: {points: [{x, y, weight}], evaluations: [{x, y, low, high}]}.
export function curve(reports, axisName, measureName) {
  const { at } = axes[axisName], { value } = measure(measureName);
  let before = 0;
  const points = reports.map(report => {
    const weight = report.games ?? report.episodes - before;
    before = report.episodes;
    return { x: at(report), y: value(report), weight };
  }).filter(point => point.weight > 0 && point.y !== null);
  const evaluations = measureName !== "score" ? [] : reports.filter(report => report.evaluation).map(report => {
    const { meanScore, ci95 } = report.evaluation;
    return { x: at(report), y: meanScore, low: ci95[0], high: ci95[1] };
  });
  return { points, evaluations };
}

// The means of points over a window around each, weighted by games. The window ends as far on the right as on the left,
// so it is narrower near the ends, and a straight line stays straight.
export function smoothed(points, width) {
  if (!(width > 0) || points.length < 3) return points;
  const first = points[0].x, last = points.at(-1).x;
  const sums = [0], weights = [0];
  for (const { y, weight } of points) {
    sums.push(sums.at(-1) + y * weight);
    weights.push(weights.at(-1) + weight);
  }
  let low = 0, high = 0;
  return points.map(({ x, weight }, index) => {
    const half = Math.min(width / 2, x - first, last - x);
    while (points[low].x < x - half && low < index) low += 1;
    while (high < points.length && (points[high].x <= x + half || high <= index)) high += 1;
    return { x, y: (sums[high] - sums[low]) / (weights[high] - weights[low]), weight };
  });
}

// Fewer points, one for every `width` of the axis: means weighted by games.
export function thinned(points, width) {
  const parts = new Map();
  for (const { x, y, weight } of points) {
    const key = Math.floor(x / width);
    const part = parts.get(key) ?? { x, sum: 0, weight: 0 };
    parts.set(key, { x, sum: part.sum + y * weight, weight: part.weight + weight });
  }
  return [...parts.values()].map(({ x, sum, weight }) => ({ x, y: sum / weight }));
}

// Curves of which those are joined whose names differ only in the number at the end: each point is a mean, and has the
// least and the greatest value.
export function joined(curves) {
  const groups = new Map();
  for (const curve of curves) {
    const base = curve.name.replace(/[-_. ]?\d+$/, "") || curve.name;
    groups.set(base, [...groups.get(base) ?? [], curve]);
  }
  return [...groups].map(([base, members]) => {
    if (members.length === 1) return members[0];
    const known = members.filter(({ points }) => points.length);
    const first = Math.max(...known.map(({ points }) => points[0].x)), last = Math.min(...known.map(({ points }) => points.at(-1).x));
    // Between the ends that all have, at the places of the run with the fewest reports.
    const places = known.map(({ points }) => points).sort((a, b) => a.length - b.length)[0] ?? [];
    const points = places.filter(({ x }) => first <= x && x <= last).map(({ x, weight }) => {
      const values = known.map(({ points }) => nearest(points, x, Infinity).y);
      const y = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { x, y, weight, low: Math.min(...values), high: Math.max(...values) };
    });
    const name = `${base} (${members.length} runs)`;
    return { ...members[0], name, points, evaluations: members.flatMap(({ evaluations }) => evaluations), isJoined: true };
  });
}

// The point that is nearest to a place; undefined if all are further away than `distance`.
export function nearest(points, x, distance) {
  let low = 0, high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].x < x) low = middle + 1; else high = middle;
  }
  const [before, after] = [points[low - 1], points[low]];
  const found = !before || (after && after.x - x < x - before.x) ? after : before;
  return found && Math.abs(found.x - x) <= distance ? found : undefined;
}

// The point of a curve at a place: the nearest one, however far, between the ends of the curve.
export function valueAt(points, x, distance) {
  const isInside = points.length > 0 && points[0].x <= x && x <= points.at(-1).x;
  return nearest(points, x, isInside ? Infinity : distance);
}

// What is shown as comma-separated values: a line per report, and one per evaluation. `curves` have a name, points, the
// line of smoothed points, and evaluations.
export function csv(curves, axisName, measureName) {
  const quoted = text => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [["run", axisName, measure(measureName).column, "smoothed", "evaluation", "low", "high"]];
  for (const { name, points, line, evaluations } of curves) {
    points.forEach(({ x, y }, index) => lines.push([quoted(name), x, y, line[index].y, "", "", ""]));
    for (const { x, y, low, high } of evaluations) lines.push([quoted(name), x, "", "", y, low, high]);
  }
  return lines.map(line => line.join(",") + "\n").join("");
}
