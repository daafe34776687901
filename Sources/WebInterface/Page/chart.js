// Pictures of curves: learning curves with a cursor that reads the values, also as a file, and the curve of a review.

import { axes, measure, thinned, valueAt } from "./curves.js";
import { barLength, percent } from "./analysis.js";
import { create, draw, labelStep, number, short } from "./common.js";

const left = 76, bottom = 262, height = 316;
// The steps of the cursor from one end to the other.
const steps = 100;

// The picture of learning curves.
export class Chart {
  #picture;
  #legend;
  #place = null;   // the place of the cursor on the horizontal axis
  #shown = { curves: [], axis: "minutes", measure: "score", first: 0, right: 1 };
  #scale = null;   // {x, y}: from values to the picture
  #tableContent = "";

  constructor(picture, legend) {
    this.#picture = picture;
    this.#legend = legend;
    const move = event => {
      const box = picture.getBoundingClientRect();
      const share = (event.clientX - box.left - left) / (picture.clientWidth - left - 16);
      this.#go(this.#placeAt(Math.max(0, Math.min(1, share))));
    };
    picture.addEventListener("pointerdown", move);
    picture.addEventListener("pointermove", move);
    // A finger that is lifted leaves the values on the screen.
    picture.addEventListener("pointerleave", event => {
      if (event.pointerType === "mouse" && document.activeElement !== picture) this.#go(null);
    });
    picture.addEventListener("blur", () => this.#go(null));
    picture.addEventListener("keydown", event => this.#pressed(event));
  }

  // The place on the horizontal axis at a share of its length, and the reverse. A logarithmic axis begins at `first` > 0.
  #placeAt(share) {
    const { first, right } = this.#shown;
    return first > 0 ? first * (right / first) ** share : share * right;
  }
  #shareAt(place) {
    const { first, right } = this.#shown;
    return first > 0 ? Math.log(Math.max(place, first) / first) / Math.log(right / first) : place / right;
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.#place === null ? null : Math.round(this.#shareAt(this.#place) * steps);
    const places = {
      ArrowLeft: (at ?? 1) - 1, ArrowDown: (at ?? 1) - 1, ArrowRight: (at ?? -1) + 1, ArrowUp: (at ?? -1) + 1,
      PageDown: (at ?? 10) - 10, PageUp: (at ?? -10) + 10, Home: 0, End: steps
    };
    if (event.key === "Escape") return this.#go(null);
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    this.#go(this.#placeAt(Math.max(0, Math.min(steps, place)) / steps));
  }

  #go(place) {
    if (place === this.#place) return;
    this.#place = place;
    this.#drawCursor();
  }

  // Shows curves {name, color, points, line, evaluations}, of which `line` is smoothed. Points of joined ones have a
  // least and a greatest value.
  show(curves, { axis, measure: measureName, isSmoothed, isLogarithmic }) {
    const { title, highest } = measure(measureName);
    const picture = this.#picture, width = picture.clientWidth;
    const largest = values => values.reduce((most, value) => Math.max(most, value), 0);
    const right = largest(curves.flatMap(curve => [...curve.points, ...curve.evaluations]).map(point => point.x)) || 1;
    const least = Math.min(...curves.flatMap(({ points }) => points[0]?.x > 0 ? [points[0].x] : []));
    const first = isLogarithmic && least < right ? least : 0;
    this.#shown = { curves, axis, measure: measureName, first, right };
    picture.replaceChildren();
    this.#scale = null;
    this.#fillLegend();
    picture.setAttribute("viewBox", `0 0 ${Math.max(width, 1)} ${height}`);
    if (!width || !curves.some(curve => curve.points.length || curve.evaluations.length)) return this.#drawCursor();
    const lines = curves.map(curve => ({
      ...curve, raw: this.#thinned(curve.points), line: this.#thinned(curve.line)
    }));
    const values = lines.flatMap(({ points, raw, evaluations }) => [
      ...raw.map(point => point.y), ...evaluations.map(point => point.high), ...points.flatMap(point => point.high ?? [])]);
    const top = Math.min(highest ?? Infinity, 1.05 * largest(values) || 1);
    const x = value => left + this.#shareAt(value) * (width - left - 16), y = value => bottom - value / top * (bottom - 12);
    this.#scale = { x, y };
    const add = (name, attributes, text) => draw(picture, name, attributes, text);
    for (let step = labelStep(top, 5), value = 0; value <= top; value += step) {
      add("line", { class: "axis", x1: left, x2: width - 16, y1: y(value), y2: y(value) });
      add("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short(Number(value.toPrecision(6))));
    }
    for (const value of this.#labels(width)) {
      add("text", { x: x(value), y: bottom + 18, "text-anchor": "middle" }, short(Number(value.toPrecision(6))));
    }
    add("text", { class: "axisTitle", x: (left + width - 16) / 2, y: height - 12, "text-anchor": "middle" }, axes[axis].title);
    add("text", {
      class: "axisTitle", transform: `translate(16 ${bottom / 2 + 6}) rotate(-90)`, "text-anchor": "middle"
    }, title);
    const path = points => points.map(point => `${x(point.x).toFixed(1)},${y(point.y).toFixed(1)}`).join(" ");
    for (const { color, points, raw, line, evaluations, isJoined } of lines) {
      if (isJoined) {
        const ends = [...points.map(({ x, high }) => ({ x, y: high })), ...points.map(({ x, low }) => ({ x, y: low })).reverse()];
        add("polygon", { class: `band ${color}`, points: path(ends) });
      }
      if (isSmoothed) add("polyline", { class: `curve raw ${color}`, points: path(raw) });
      add("polyline", { class: `curve ${color}`, points: path(line) });
      if (line.length === 1) add("circle", { class: `dot ${color}`, cx: x(line[0].x), cy: y(line[0].y), r: 2 });
      for (const point of evaluations) {
        add("line", { class: `curve ${color}`, x1: x(point.x), x2: x(point.x), y1: y(point.low), y2: y(point.high) });
        add("circle", { class: `dot ${color}`, cx: x(point.x), cy: y(point.y), r: 4 });
      }
    }
    draw(picture, "g", { class: "cursor" });
    this.#drawCursor();
  }

  // One point for each of 400 parts of the axis.
  #thinned(points) {
    const { first, right } = this.#shown;
    if (!(first > 0)) return thinned(points, right / 400);
    const inside = points.filter(point => point.x > 0).map(point => ({ ...point, x: Math.log(point.x) }));
    return thinned(inside, Math.log(right / first) / 400).map(({ x, y }) => ({ x: Math.exp(x), y }));
  }

  // The places of labels: round numbers, or powers of ten with 2 and 5 between them if there are few.
  #labels(width) {
    const { first, right } = this.#shown, labels = [];
    if (first > 0) {
      const factors = Math.log10(right / first) < 2 ? [1, 2, 5] : [1];
      for (let power = 10 ** Math.floor(Math.log10(first)); power <= right; power *= 10) {
        labels.push(...factors.map(factor => factor * power).filter(value => first <= value && value <= right));
      }
    } else {
      for (let step = labelStep(right, width / 110), value = step; value <= right; value += step) labels.push(value);
    }
    return labels;
  }

  #fillLegend() {
    const place = create("div", { className: "legendPlace faint" });
    const items = this.#shown.curves.map(({ name, color }) => create("div", { className: "legendRun" },
      create("span", { className: `swatch ${color}` }), create("span", { className: "legendName", textContent: name, title: name }),
      create("span", { className: "legendValue" })));
    this.#legend.replaceChildren(place, ...items);
  }

  // The values at the cursor: for each curve the nearest point, and an evaluation that is close.
  #read() {
    const { curves, right } = this.#shown;
    return curves.map(({ line, evaluations }) => ({
      point: valueAt(line, this.#place, right / steps),
      evaluation: evaluations.reduce((best, other) => Math.abs(other.x - this.#place) < Math.min(right / steps,
        Math.abs((best?.x ?? Infinity) - this.#place)) ? other : best, undefined)
    }));
  }

  #drawCursor() {
    const { curves, axis, measure: measureName, right } = this.#shown;
    const { unit } = measure(measureName), place = this.#place, picture = this.#picture;
    const group = picture.querySelector(".cursor");
    group?.replaceChildren();
    const readings = place === null ? [] : this.#read();
    const text = ({ point, evaluation } = {}) => point === undefined && evaluation === undefined ? "–"
      : (point ? number(point.y) + unit : "–") + (evaluation ? `, evaluated ${number(evaluation.y)}` : "");
    const placeText = place === null ? "" : `${number(axis === "minutes" ? place : Math.round(place))} ${axes[axis].title}`;
    this.#legend.querySelector(".legendPlace").textContent = place === null
      ? "Point or press arrow keys for values." : `At ${placeText}:`;
    this.#legend.querySelectorAll(".legendValue").forEach((element, index) => {
      element.textContent = place === null ? "" : text(readings[index]);
    });
    picture.setAttribute("aria-valuenow", place === null ? 0 : Math.round(this.#shareAt(place) * steps));
    picture.setAttribute("aria-valuetext", place === null ? `${curves.length} curves; press the arrow keys to read values`
      : `${placeText}: ${curves.map(({ name }, index) => `${name} ${text(readings[index])}`).join("; ")}`);
    if (place === null || !group || !this.#scale) return;
    const { x, y } = this.#scale;
    draw(group, "line", { x1: x(place), x2: x(place), y1: 12, y2: bottom });
    readings.forEach(({ point }, index) => {
      if (point) draw(group, "circle", { class: `dot ${curves[index].color}`, cx: x(point.x), cy: y(point.y), r: 4.5 });
    });
  }

  // A table of the curves at several places, for screen readers and for those who want numbers.
  fillTable(table) {
    const { curves, axis, measure: measureName, right } = this.#shown;
    const { title, unit } = measure(measureName);
    const caption = `${title}, by ${axes[axis].title}`, names = [axes[axis].title, ...curves.map(({ name }) => name)];
    const rows = [];
    for (let step = labelStep(right, 12), place = step; place <= right * 1.0001; place += step) {
      rows.push([number(place), ...curves.map(({ line }) => {
        const point = valueAt(line, place, right / steps);
        return point ? number(point.y) + unit : "–";
      })]);
    }
    // A table that stays as it is keeps the place of a reader in it.
    const content = JSON.stringify([caption, names, rows]);
    if (content === this.#tableContent) return;
    this.#tableContent = content;
    const heading = (text, scope) => create("th", { textContent: text, scope });
    table.replaceChildren(create("caption", { className: "faint", textContent: caption }),
      create("thead", {}, create("tr", {}, ...names.map(name => heading(name, "col")))),
      create("tbody", {}, ...rows.map(([place, ...values]) =>
        create("tr", {}, heading(place, "row"), ...values.map(text => create("td", { textContent: text }))))));
  }

  // The picture as a file of its own, in the colours that are shown, with the names of the runs below.
  svg() {
    const copy = this.#picture.cloneNode(true), width = this.#picture.clientWidth;
    const kept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family"];
    const originals = this.#picture.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((element, index) => {
      const style = getComputedStyle(originals[index]);
      for (const name of kept) element.setAttribute(name, style.getPropertyValue(name));
      element.removeAttribute("class");
    });
    for (const name of [...copy.getAttributeNames()]) copy.removeAttribute(name);
    copy.querySelector("g")?.remove();
    const text = getComputedStyle(document.body), whole = height + 20 * this.#shown.curves.length + 8;
    this.#legend.querySelectorAll(".swatch").forEach((swatch, index) => {
      const y = height + 20 * index, style = getComputedStyle(swatch);
      draw(copy, "line", {
        x1: left, x2: left + 24, y1: y, y2: y, stroke: style.color, "stroke-width": 3,
        "stroke-dasharray": swatch.classList.contains("dashed") ? "6 3" : "none"
      });
      draw(copy, "text", { x: left + 32, y: y + 4, fill: text.color, "font-size": "12px", "font-family": text.fontFamily },
        this.#shown.curves[index].name);
    });
    const ground = draw(copy, "rect", { width, height: whole, fill: getComputedStyle(this.#picture.closest(".box")).backgroundColor });
    copy.prepend(ground);
    copy.setAttribute("viewBox", `0 0 ${width} ${whole}`);
    copy.setAttribute("width", width);
    copy.setAttribute("height", whole);
    return new XMLSerializer().serializeToString(copy);
  }
}

// The curve of a review: the final score if the reviewing player played on, with bars of what each move gave away below,
// and the moves that mattered most as dots.
export class ReviewCurve {
  #picture;
  #scale = null;   // {x, left, right, count}: from the index of a move to its place
  // Called with the index of a move that somebody points at.
  onchoice = () => {};

  constructor(picture) {
    this.#picture = picture;
    picture.addEventListener("pointerdown", event => {
      picture.setPointerCapture(event.pointerId);
      this.#choose(event);
    });
    picture.addEventListener("pointermove", event => { if (event.buttons) this.#choose(event); });
  }

  #choose(event) {
    if (!this.#scale) return;
    const { left, right, count } = this.#scale, at = event.clientX - this.#picture.getBoundingClientRect().left;
    const share = Math.max(0, Math.min(1, (at - left) / (right - left)));
    this.onchoice(Math.round(share * (count - 1)));
  }

  // Shows the results of a game, of which some may be missing, and marks some moves.
  show({ moves, firstNumber }, results, marked) {
    const picture = this.#picture, width = picture.clientWidth, height = 220;
    picture.replaceChildren();
    this.#scale = null;
    const known = results.flatMap((result, index) => result ? [{ index, ...result }] : []);
    if (!width || !known.length) return;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const left = 56, right = width - 10, bottom = 150, count = moves.length;
    const x = index => left + (right - left) * (count > 1 ? index / (count - 1) : .5);
    this.#scale = { x, left, right, count };
    // For each pixel, the mean of the values and the largest share given away.
    const columns = new Map();
    for (const { index, expected, share, level } of known) {
      const key = Math.round(x(index));
      const column = columns.get(key) ?? { sum: 0, count: 0, share: 0, level: "none" };
      column.sum += expected;
      column.count += 1;
      if (share > column.share) Object.assign(column, { share, level });
      columns.set(key, column);
    }
    const points = [...columns].sort((a, b) => a[0] - b[0]);
    const values = points.map(([, column]) => column.sum / column.count);
    const low = Math.min(...values), high = Math.max(...values), margin = Math.max(.06 * (high - low), .002 * Math.abs(high), 1);
    const y = value => bottom - (value - low + margin) / (high - low + 2 * margin) * (bottom - 8);
    const step = labelStep(high - low + 2 * margin, 4);
    for (let value = Math.ceil((low - margin) / step) * step; value <= high + margin; value += step) {
      draw(picture, "line", { class: "axis", x1: left, x2: right, y1: y(value), y2: y(value) });
      draw(picture, "text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, short(Number(value.toPrecision(6))));
    }
    for (let step = Math.max(1, labelStep(count, width / 110)), index = step; index <= count; index += step) {
      draw(picture, "text", { x: x(index - 1), y: height - 4, "text-anchor": "middle" }, short(firstNumber + index));
    }
    draw(picture, "polyline", {
      class: "expected", points: points.map(([place], index) => `${place},${y(values[index]).toFixed(1)}`).join(" ")
    });
    draw(picture, "line", { class: "axis", x1: left, x2: right, y1: bottom + 44, y2: bottom + 44 });
    draw(picture, "text", { x: left - 6, y: bottom + 44, "text-anchor": "end" }, "loss");
    for (const [place, { share, level }] of points) {
      if (share === 0) continue;
      const length = Math.max(1.5, 34 * barLength(share));
      draw(picture, "rect", { class: `loss ${level}`, x: place - .75, width: 1.5, y: bottom + 44 - length, height: length });
    }
    for (const index of marked) {
      const { expected, share, level } = results[index];
      const marker = draw(picture, "circle", { class: `marker ${level}`, cx: x(index), cy: y(Math.min(high, Math.max(low, expected))), r: 4.5 });
      draw(marker, "title", {}, `Move ${firstNumber + index + 1}: ${percent(share)} lost`);
    }
    draw(picture, "line", { class: "cursor", y1: 4, y2: bottom + 46 });
  }

  // Marks the move that is shown.
  mark(index) {
    const cursor = this.#picture.querySelector(".cursor");
    if (!cursor || !this.#scale) return;
    const at = this.#scale.x(Math.min(index, this.#scale.count - 1));
    cursor.setAttribute("x1", at);
    cursor.setAttribute("x2", at);
  }
}
