// Starts the page, and switches between its views.

import { $, ask, sleep } from "./common.js";
import * as play from "./play.js";
import * as review from "./review.js";
import * as runs from "./runs.js";

let size;

// The browser has kept the token of the address as a cookie. Without it, the address can be shown and shared.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

// The view and what it shows, such as `#/review/current/move/94`. The slash is there because the browser would scroll to an
// element whose id is the hash.
function address() {
  try { return location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent); } catch { return []; }
}
const views = { review: "Review", runs: "Runs" };
const view = () => views[address()[0]] ?? "Play";
let lastView = null;

function showView() {
  $("play").hidden = view() !== "Play";
  $("training").hidden = view() !== "Runs";
  $("review").hidden = view() !== "Review";
  for (const name of ["Play", "Review", "Runs"]) {
    if (name === view()) $(`to${name}`).setAttribute("aria-current", "page"); else $(`to${name}`).removeAttribute("aria-current");
  }
  if (view() !== lastView) {
    if (lastView) scrollTo(0, 0);
    if (lastView === "Review") review.left();
    lastView = view();
    document.title = view() === "Play" ? "learn2048" : `${view()} – learn2048`;
  }
  if (view() === "Review") review.shown(address().slice(1));
  if (view() === "Runs") runs.drawCurves();
}

const nameOf = ({ model, version }) => `${model}, version ${version}`;

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !size) return;
  if (event.defaultPrevented || event.target.matches("input:not([type=checkbox]), select, textarea, #chart, .scrolls, summary")) return;
  if (view() === "Review") review.pressed(event); else if (view() === "Play") play.pressed(event);
});

// Tables that are too wide say that they scroll.
const widths = new ResizeObserver(() => {
  for (const box of document.querySelectorAll(".scrolls")) box.classList.toggle("overflows", box.scrollWidth > box.clientWidth + 1);
});
for (const box of document.querySelectorAll(".scrolls, .scrolls > *")) widths.observe(box);

let isMissing = false;   // whether the server did not answer the last time

// The server may have been restarted with another model. The game and the review survive a reload.
async function checkServer() {
  const server = await ask("/api/server");
  if (server.boardSize !== size || nameOf(server) !== $("model").textContent) return location.reload();
  play.serverAnswers();
  review.serverAnswers(isMissing);
  isMissing = false;
}

async function begin() {
  const server = await ask("/api/server");
  $("model").textContent = nameOf(server);
  await play.begin(server, () => { location.hash = "#/review/current"; });
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
    isMissing = true;
    if (!size) $("message").textContent = error.message;
    runs.failToRefresh(error);
  }
  await sleep(document.hidden ? 20_000 : 4_000);
}
