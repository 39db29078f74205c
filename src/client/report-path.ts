import { join } from "node:path";
import { testReportsVariable } from "../options/names.js";

/** The directory for the reports of failed tests. `explore` sets another one, because its runs fail on purpose. */
export function reportDirectory(): string {
  return process.env[testReportsVariable] || "usergroup-mock-report";
}

/** Where a report of that name is saved. */
export function reportPath(name: string): string {
  return join(reportDirectory(), `${name}.html`);
}
