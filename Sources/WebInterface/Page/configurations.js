// The configurations of the shown runs as a table, of which only the keys that differ are shown by default.

import { $, ask, create } from "./common.js";

const known = new Map();   // name -> keys with their values, or the reason why there are none
let shown = [];
let drawn = "";   // what the table has been filled with

// The keys of a configuration with dots between the groups, and their values as on the command line.
export function flattened(configuration, prefix = "") {
  return Object.entries(configuration).flatMap(([key, value]) =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? flattened(value, `${prefix}${key}.`)
    : [[prefix + key, typeof value === "string" ? value : JSON.stringify(value)]]);
}

// The rows of a table: [{key, values, differs}], of which a value is undefined if a configuration lacks the key.
export function compared(configurations) {
  const keys = [...new Set(configurations.flatMap(configuration => [...configuration.keys()]))].sort();
  return keys.map(key => {
    const values = configurations.map(configuration => configuration.get(key));
    return { key, values, differs: values.some(value => value !== values[0]) };
  });
}

async function read(name) {
  if (known.has(name)) return;
  try {
    known.set(name, { keys: new Map(flattened(await ask(`/api/configurations/${encodeURIComponent(name)}`))) });
  } catch (error) {
    known.set(name, { problem: error.message });
  }
}

// A run may be another one now, or was resumed with a changed configuration.
export function forget(name) {
  known.delete(name);
}

// Shows the configurations of runs, each given by its name and the name to show, if the table is open.
export async function show(runs) {
  shown = runs;
  if (!$("configurations").open) return;
  await Promise.all(runs.map(([name]) => read(name)));
  if (shown !== runs) return;
  const problems = runs.flatMap(([name]) => known.get(name).problem ?? []);
  const readable = runs.filter(([name]) => known.get(name).keys);
  const rows = compared(readable.map(([name]) => known.get(name).keys));
  const isWhole = $("allKeys").checked;
  // A table that is filled again loses what somebody selects in it.
  const state = JSON.stringify([readable, rows, isWhole, problems]);
  if (state === drawn) return;
  drawn = state;
  const listed = rows.filter(row => isWhole || row.differs);
  $("configurationMessage").textContent = [...problems,
    readable.length === 1 && !isWhole ? "Choose a second run to compare, or show all keys."
    : readable.length > 1 && !rows.some(row => row.differs) ? "The configurations are the same." : ""].join(" ").trim();
  const heading = (text, scope) => create("th", { textContent: text, scope });
  $("configurationTable").hidden = listed.length === 0;
  $("configurationTable").replaceChildren(
    create("thead", {}, create("tr", {}, heading("key", "col"), ...readable.map(([, title]) => heading(title, "col")))),
    create("tbody", {}, ...listed.map(({ key, values, differs }) => create("tr", { className: differs ? "differs" : "" },
      heading(key, "row"), ...values.map(value => create("td", { textContent: value ?? "–" }))))));
}

$("configurations").ontoggle = $("allKeys").onchange = () => show([...shown]);
