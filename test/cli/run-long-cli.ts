export { runCli as runLongCli } from "../cli-process.js";
