import { randomBytes } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";

/** Names another folder for the reports of failed tests. `explore` sets it, because its runs fail on purpose. */
export const testReportsVariable = "USERGROUP_MOCK_TEST_REPORTS";

/**
 * A part of a run in which no two tests have the same name. Jest runs one file in several projects, and does not tell a
 * test which project it belongs to.
 */
export interface RunPart {
  /** Names the run. */
  readonly run: string;
  /** Of no other part of the run. */
  readonly part: string;
}

const doctype = "<!doctype html>";

/** The file of the report of one test. */
export class TestReportFile {
  /** In the folder that the tests run in. */
  readonly #folder = process.env[testReportsVariable] || "usergroup-mock-report";
  readonly #name: string;
  readonly #part: RunPart | undefined;

  /**
   * @param name the same in every run
   * @param part if other tests of the run can have the same name
   */
  constructor(name: string, part: RunPart | undefined) {
    this.#name = name;
    this.#part = part;
  }

  /** Returns its path. Replaces that of an earlier run or attempt. */
  async save(write: (path: string) => Promise<void>): Promise<string> {
    const path = join(this.#folder, `${this.#name}.html`);
    if (this.#part === undefined) {
      await write(path);
      return path;
    }
    const unnamed = join(this.#folder, `${this.#name}.${randomBytes(4).toString("hex")}.tmp`);
    await write(unnamed);
    const { run, part } = this.#part;
    const page = (await promises.readFile(unnamed, "utf8")).replace(doctype, `${markOf(run)}${part} -->`);
    await promises.rm(unnamed);
    return this.#create(page, 1);
  }

  /** After a test that passed: removes what an earlier run or attempt has left. */
  async remove(): Promise<void> {
    const files = await promises.readdir(this.#folder).catch(() => []);
    // The name may end with digits too.
    const isOwn = (file: string) =>
      file.startsWith(this.#name) && /^(-\d+)?\.html$/.test(file.slice(this.#name.length));
    for (const file of files.filter(isOwn)) await this.#removeOlder(join(this.#folder, file));
  }

  async #create(page: string, number: number): Promise<string> {
    const path = join(this.#folder, `${this.#name}${number === 1 ? "" : `-${number}`}.html`);
    try {
      await promises.writeFile(path, page, { flag: "wx" });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      return this.#create(page, (await this.#removeOlder(path)) ? number : number + 1);
    }
  }

  /** Returns whether the report was not of another part of this run, and is removed. */
  async #removeOlder(path: string): Promise<boolean> {
    if (this.#part !== undefined) {
      const { run, part } = this.#part;
      const page = await promises.readFile(path, "latin1").catch(() => "");
      // It is empty while another process begins to write it.
      if (page === "" || (page.startsWith(markOf(run)) && !page.startsWith(markOf(run) + part))) return false;
    }
    await promises.rm(path, { force: true });
    return true;
  }
}

function markOf(run: string): string {
  return `${doctype}\n<!-- usergroup-mock: run ${run}, part `;
}
