import { promises } from "node:fs";
import { join, relative } from "node:path";
import { performance } from "node:perf_hooks";
import type { World } from "../client/world.js";
import { asError } from "../foundation/mock-error.js";
import type { ReportedTest } from "../report/report-data.js";
import { dataElement } from "../report/report-page.js";

/** The file with the report of one test: `usergroup-mock-report/<name>.html`. */
export class TestReportFile {
  /** Reports of this test file and project: Jest loads this module again for each. */
  static readonly #saved = new Set<string>();
  readonly #directory: string;
  readonly #name: string;
  readonly #isAmbiguous: boolean;

  /**
   * @param name the same in every run
   * @param isAmbiguous whether another test of this run can have the name. Jest runs one file in several projects, and
   * does not pass the project to a test. A report that is younger than this process may then be of the other test.
   */
  constructor(directory: string, name: string, isAmbiguous: boolean) {
    this.#directory = directory;
    this.#name = name;
    this.#isAmbiguous = isAmbiguous;
  }

  /** Replaces the report of an earlier run or attempt. Returns the path: from the working directory, if it is in there. */
  async save(world: Pick<World, "saveReport">, test: ReportedTest): Promise<string> {
    await this.remove();
    const path = await this.#create();
    TestReportFile.#saved.add(path);
    try {
      await world.saveReport(path);
      await addTestToReport(path, test);
      const shown = relative(process.cwd(), path);
      return shown.startsWith("..") ? path : shown;
    } catch (error) {
      await promises.rm(path, { force: true });
      throw error;
    }
  }

  /** Removes the report of an earlier run or attempt. */
  async remove(): Promise<void> {
    for (const file of await promises.readdir(this.#directory).catch(() => [])) {
      // The name may end with digits too.
      const isOwn = file.startsWith(this.#name) && /^(-\d+)?\.html$/.test(file.slice(this.#name.length));
      const path = join(this.#directory, file);
      if (isOwn && !(await this.#isOfOtherTest(path))) await promises.rm(path, { force: true });
    }
  }

  async #isOfOtherTest(path: string): Promise<boolean> {
    if (!this.#isAmbiguous || TestReportFile.#saved.has(path)) return false;
    const stats = await promises.stat(path).catch(() => undefined);
    return stats !== undefined && stats.mtimeMs >= performance.timeOrigin;
  }

  /** Creates the file, empty. A number keeps it apart from reports that are not removed. */
  async #create(number = 1): Promise<string> {
    const path = join(this.#directory, `${this.#name}${number === 1 ? "" : `-${number}`}.html`);
    await promises.mkdir(this.#directory, { recursive: true });
    try {
      await promises.writeFile(path, "", { flag: "wx" });
      return path;
    } catch (error) {
      if (asError(error).code !== "EEXIST") throw error;
      return this.#create(number + 1);
    }
  }
}

/** Adds the test that a report is about. */
export async function addTestToReport(path: string, test: ReportedTest): Promise<void> {
  const page = await promises.readFile(path, "utf8");
  const end = page.lastIndexOf("</body>");
  const element = `${dataElement("test", test)}\n  `;
  await promises.writeFile(path, page.slice(0, end) + element + page.slice(end));
}
