// What several parts of the page use: requests, elements, numbers, storage.

export const $ = id => document.getElementById(id);
export const directions = ["up", "down", "left", "right"];
export const arrows = { up: "↑", down: "↓", left: "←", right: "→" };
export const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

const [whole, oneDecimal, threeDecimals] = [0, 1, 3].map(
  digits => new Intl.NumberFormat("en-US", { maximumFractionDigits: digits }));

// A number with groups of three digits, with one decimal below 100, and with three below 1.
export function number(value) {
  const size = Math.abs(value);
  return (size < 1 ? threeDecimals : size < 100 ? oneDecimal : whole).format(value);
}

// A short number for axes, such as 120 k.
export function short(value) {
  const [factor, unit] = [[1e9, " G"], [1e6, " M"], [1e3, " k"]].find(([factor]) => Math.abs(value) >= factor) ?? [1, ""];
  return value / factor + unit;
}

// The server does not answer at all.
export class Unreachable extends Error {}

// Asks the server, with a text in the body if there is one, and throws what it says if it cannot answer.
export async function ask(path, parameters = {}, signal = undefined, body = undefined) {
  const query = new URLSearchParams(parameters).toString().replaceAll("+", "%20");
  // Searches wait for one another; everything else is answered soon.
  const seconds = path === "/api/analyze" ? 120 : 20;
  const timeout = AbortSignal.timeout(1_000 * seconds);
  let response, answer;
  try {
    response = await fetch(query ? `${path}?${query}` : path, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout, ...(body === undefined ? {} : { method: "POST", body })
    });
    answer = await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(timeout.aborted ? `The server has not answered for ${seconds} s. Is it busy?`
      : "The server does not answer. Has it been stopped?");
  }
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

// Creates an element with properties and children.
export function create(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// Copies a text. Browsers give the clipboard to pages of the same machine or over HTTPS; others can copy a selection.
export async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = create("textarea", { value: text, className: "spoken" });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (!isCopied) throw new Error("This browser does not let the page copy.");
}

// Adds an element to a picture.
export function draw(picture, name, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  picture.append(element);
  return element;
}

// A round step for axis labels, so that about `count` of them fit into `span`.
export function labelStep(span, count) {
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= raw);
}

// Storage that outlasts the page. Private windows may have none.
export function stored(key) {
  try { return localStorage.getItem(`learn2048.${key}`); } catch { return null; }
}
export function store(key, text) {
  try { localStorage.setItem(`learn2048.${key}`, text); } catch { /* the page works without */ }
}

// Gives a control the value that is stored under its id, unless it does not have such a value.
export function restore(id) {
  const control = $(id), usual = control.value, text = stored(id);
  if (text === null) return;
  control.value = text;
  if (control.value !== text) control.value = usual;
}

// The key of an event: letters in lower case, and on keyboards of other scripts as on a Latin one.
export function keyOf({ key, code }) {
  if (key.length > 1) return key;
  return /[^\x20-\x7e]/.test(key) && code.startsWith("Key") ? code[3].toLowerCase() : key.toLowerCase();
}

// Returns a function that calls `action` soon, and once however often it is called until then.
export function soon(action, milliseconds = 0) {
  let isDue = false;
  const act = () => { isDue = false; action(); };
  return () => {
    if (isDue) return;
    isDue = true;
    if (milliseconds > 0) setTimeout(act, milliseconds); else requestAnimationFrame(act);
  };
}
