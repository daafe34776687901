// Starts the page, and switches between its views.

import { $, ask, sleep } from "./common.js";
import * as play from "./play.js";
import * as review from "./review.js";
import * as runs from "./runs.js";

let size;

// The browser has kept the token of the address as a cookie. Without it, the address can be shown and shared.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

const views = { "#review": "Review", "#runs": "Runs" };
const view = () => views[location.hash] ?? "Play";

// The runs are below the game, too.
function showView() {
  $("play").hidden = view() !== "Play";
  $("training").hidden = view() === "Review";
  $("review").hidden = view() !== "Review";
  for (const name of ["Play", "Review", "Runs"]) {
    if (name === view()) $(`to${name}`).setAttribute("aria-current", "page"); else $(`to${name}`).removeAttribute("aria-current");
  }
  if (view() === "Review") review.shown(); else runs.drawCurves();
}

const nameOf = ({ model, version }) => `${model}, version ${version}`;

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !size) return;
  if (event.defaultPrevented || event.target.matches("input:not([type=checkbox]), select, textarea, #chart, .scrolls, summary")) return;
  if (view() === "Review") review.pressed(event); else if (view() === "Play") play.pressed(event);
});

// The server may have been restarted with another model. The game survives a reload.
async function checkServer() {
  const server = await ask("/api/server");
  if (server.boardSize !== size || nameOf(server) !== $("model").textContent) return location.reload();
  play.serverAnswers();
}

async function begin() {
  const server = await ask("/api/server");
  $("model").textContent = nameOf(server);
  await play.begin(server, () => {
    review.reviewCurrent();
    location.hash = "review";
  });
  review.begin(server);
  size = server.boardSize;
  addEventListener("hashchange", showView);
  showView();
}

for (;;) {
  try {
    await (size ? checkServer() : begin());
    await runs.refresh();
  } catch (error) {
    if (!size) $("message").textContent = error.message;
    runs.failToRefresh(error);
  }
  await sleep(document.hidden ? 20_000 : 4_000);
}
