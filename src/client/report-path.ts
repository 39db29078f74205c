import { join } from "node:path";
import { testReportsVariable } from "../options/names.js";

/**
 * The directory for the reports of failed tests. `explore` sets another one, because its runs fail on purpose.
 * @param root the directory of the project; by default, the working directory
 */
export function reportDirectory(root = ""): string {
  return process.env[testReportsVariable] || join(root, "usergroup-mock-report");
}
