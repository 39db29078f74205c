import { randomBytes } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import { thrown } from "../foundation/mock-error.js";
import type { World } from "./world.js";

/** Names another folder for the reports of failed tests. `explore` sets it, because its runs fail on purpose. */
export const testReportsVariable = "USERGROUP_MOCK_TEST_REPORTS";

/** The report of one test. */
export class TestReport {
  /** In the folder that the tests run in. */
  readonly #folder = process.env[testReportsVariable] || "usergroup-mock-report";
  readonly #name: string;
  readonly #run: string | undefined;

  /**
   * @param name the same in every run
   * @param run names the run of the framework, if other tests of the run can have the same name: Jest runs one file in
   * several projects, and does not tell a test which project it belongs to
   */
  constructor(name: string, run: string | undefined) {
    this.#name = name;
    this.#run = run;
  }

  /** Returns its path. Reports of the same name that an earlier run has left are replaced. */
  async save(world: World): Promise<string> {
    const path = join(this.#folder, `${this.#name}.html`);
    if (this.#run === undefined) {
      await world.saveReport(path);
      return path;
    }
    const unnamed = join(this.#folder, `${this.#name}.${randomBytes(4).toString("hex")}.tmp`);
    await world.saveReport(unnamed);
    const page = `${this.#mark}${await promises.readFile(unnamed, "utf8")}`;
    await promises.rm(unnamed);
    return this.#create(page, 1);
  }

  /** After a test that passed: removes what an earlier run has left. */
  async remove(): Promise<void> {
    const files = await promises.readdir(this.#folder).catch(() => []);
    // The name may end with digits too.
    const isOwn = (file: string) =>
      file.startsWith(this.#name) && /^(-\d+)?\.html$/.test(file.slice(this.#name.length));
    for (const file of files.filter(isOwn)) await this.#removeOlder(join(this.#folder, file));
  }

  get #mark(): string {
    return `<!-- usergroup-mock: run ${this.#run} -->\n`;
  }

  async #create(page: string, number: number): Promise<string> {
    const path = join(this.#folder, `${this.#name}${number === 1 ? "" : `-${number}`}.html`);
    try {
      await promises.writeFile(path, page, { flag: "wx" });
      return path;
    } catch (error) {
      if (thrown(error).code !== "EEXIST") throw error;
      return this.#create(page, (await this.#removeOlder(path)) ? number : number + 1);
    }
  }

  /** Returns whether the report was of an earlier run, and is removed. */
  async #removeOlder(path: string): Promise<boolean> {
    if (this.#run !== undefined) {
      const page = await promises.readFile(path, "latin1").catch(() => "");
      // It is empty while another process begins to write it.
      if (page === "" || page.startsWith(this.#mark)) return false;
    }
    await promises.rm(path, { force: true });
    return true;
  }
}
