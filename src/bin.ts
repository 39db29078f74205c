import { stopWithNpx } from "./cli/stop-with-npx.js";

stopWithNpx(process.env);

void import("./cli/main.js").then(({ main }) => main(process.argv.slice(2)));
