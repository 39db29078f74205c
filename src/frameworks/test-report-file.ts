import { promises } from "node:fs";
import { relative } from "node:path";
import type { World } from "../client/world.js";
import type { ReportedTest } from "../report/report-data.js";
import { dataElement } from "../report/report-page.js";

/**
 * Saves the report of a failed test, in place of that of an earlier run or attempt. Returns the path: from the working
 * directory, if it is in there.
 */
export async function saveTestReport(
  path: string,
  world: Pick<World, "saveReport">,
  test: ReportedTest,
): Promise<string> {
  await world.saveReport(path);
  const page = await promises.readFile(path, "utf8");
  const end = page.lastIndexOf("</body>");
  const element = `${dataElement("test", test)}\n  `;
  await promises.writeFile(path, page.slice(0, end) + element + page.slice(end));
  const shown = relative(process.cwd(), path);
  return shown.startsWith("..") ? path : shown;
}
