import { render } from "preact";
import { App } from "./app.js";
import { isReport } from "./embedded-report.js";
import { reportedWorldName, worldName } from "./place.js";

render(<App />, document.body);

// A report shows one world at a time; a link to another one loads the page anew.
if (isReport) {
  addEventListener("hashchange", () => {
    if (reportedWorldName() !== worldName) location.reload();
  });
}
