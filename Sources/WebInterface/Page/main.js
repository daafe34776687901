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

function showServer({ model, version }) {
  $("model").textContent = `${model}, version ${version}`;
}

document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || !size) return;
  if (event.defaultPrevented || event.target.matches("input:not([type=checkbox]), select, textarea, #chart, .scrolls, summary")) return;
  if (view() === "Review") review.pressed(event); else if (view() === "Play") play.pressed(event);
});

// The server may have been restarted with another model.
async function checkServer() {
  const server = await ask("/api/server");
  if (!size) return;
  if (server.boardSize !== size) return location.reload();
  const before = $("model").textContent;
  showServer(server);
  if ($("model").textContent !== before) play.forgetDecision();
}

async function begin() {
  const server = await ask("/api/server");
  showServer(server);
  await play.begin(server, () => {
    review.reviewCurrent();
    location.hash = "review";
  });
  review.begin(server);
  size = server.boardSize;
  addEventListener("hashchange", showView);
  showView();
}

begin().catch(error => { $("message").textContent = error.message; });
for (;;) {
  await checkServer().then(runs.refresh).catch(runs.failToRefresh);
  await sleep(document.hidden ? 20_000 : 4_000);
}
