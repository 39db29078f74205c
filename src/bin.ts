import { main } from "./cli/main.js";

void main(process.argv.slice(2));
