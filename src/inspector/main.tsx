import { render } from "preact";
import { App } from "./app.js";
import { isReport } from "./embedded-report.js";
import { reportedWorldName, worldName } from "./urls.js";

render(<App />, document.body);

// A report shows one world at a time. A link to another world reloads the page.
if (isReport) {
  addEventListener("hashchange", () => {
    if (reportedWorldName() !== worldName) location.reload();
  });
}
