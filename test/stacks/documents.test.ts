import { cp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMock } from "../../src/index.js";
import { getOrCreate } from "../call.js";
import { type PackageInUse, repository, usePackage } from "../consumers/package-in-use.js";
import { blockOf, pageExamples, shellOf } from "../consumers/page-blocks.js";
import { run, start } from "../consumers/processes.js";
import { freePort } from "../free-port.js";
import { needs } from "../needs.js";
import { specOf } from "./versions.js";

let inUse: PackageInUse;
let project: string;
beforeAll(async () => {
  inUse = await usePackage();
  project = await inUse.link("documents");
  for (const { file, text } of pageExamples) await writeFile(join(project, file), text);
  await writeFile(join(project, "groups.json"), blockOf("json", "groups").text);
});
afterAll(() => inUse?.remove());

const bash = (command: string) => run("bash", ["-c", command], { cwd: project });
const json = (kind: string) => JSON.parse(blockOf("json", kind).text);
const textOf = (kind: string) => blockOf("text", kind).text.trimEnd();

// test/consumers/documents.test.ts executes the test files, and checks that every block is executed.
describe("the README and docs/", () => {
  it("show working commands that start the mock, send requests, reset it and read its journal", async (context) => {
    needs(context, "bash", "curl");
    const port = String(await freePort());
    const lines = (page: string) => shellOf(page).map((text) => text.replaceAll("4010", port));
    const [, serve = "", curl = ""] = lines("README.md");
    const readme = await readFile(join(repository, "README.md"), "utf8");
    const reset = (/`(curl -X POST [^`]+)`/.exec(readme)?.[1] ?? "").replaceAll("4010", port);
    await using server = start("bash", ["-c", serve], { cwd: project });
    await server.printed(/^(usergroup-mock listening on http:\/\/127.0.0.1:\d+)$/m);
    const quiet = (command: string) => command.replace("curl ", "curl --silent --show-error ");
    const first = JSON.parse(await bash(quiet(curl)));
    expect(first).toEqual(JSON.parse(blockOf("json", "response").text));
    const other = quiet(curl).replace('"customer-7"', '"my-group", "name": "My group"');
    const isNew = async () => JSON.parse(await bash(other)).new_user_group;
    expect([await isNew(), await isNew()]).toEqual([true, false]);
    await bash(quiet(reset));
    expect([await isNew(), JSON.parse(await bash(quiet(curl)))]).toEqual([true, first]);
    const [exec = ""] = /npx usergroup-mock exec --set API_URL=\{url\} --/.exec(readme) ?? [];
    const print = "node -e 'console.log(process.env.API_URL)'";
    expect(await bash(`${exec} ${print}`)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
    const [learn = "", imitate = ""] = lines("README.md").at(-1)?.split("\n") ?? [];
    const asRight = /^The mock responded as the service to (\d+) of \1 further requests\.$/m;
    expect(await bash(learn)).toMatch(asRight);
    await using imitation = start("bash", ["-c", imitate.replace("4011", "0")], { cwd: project });
    await imitation.printed(/^(usergroup-mock listening on http:\/\/127.0.0.1:\d+)$/m);
    const [asked = "", nightly = ""] = lines("verify.md");
    const [verify = ""] = asked.split("\nnpx usergroup-mock --port");
    expect(await bash(verify)).toMatch(asRight);
    const found = JSON.parse(await readFile(join(project, "profile.json"), "utf8"));
    expect(found.situations).toHaveProperty(["current_token: unknown", "status"], 404);
    // The fixture of these pages has no second team.
    expect(found.situations).not.toHaveProperty(["current_token: of the other team"]);
    const variables = `export SERVICE_URL=http://127.0.0.1:${port} USERGROUP_MOCK_VERIFY_API_TOKEN=test-api-token`;
    expect(await bash(`${variables}; ${nightly}`)).toMatch(/^Nothing has changed\.$/m);
  });

  it.for([
    [0, /"event":"listening","url":"(http:[^"]+)"/],
    [1, /listening on (http:\S+)$/m],
  ] as const)("show a command in options.md that starts the mock (%i)", async ([index, ready], context) => {
    needs(context, "bash");
    const command = shellOf("options.md")[index] ?? "";
    await using server = start("bash", ["-c", command.replace("4010", "0")], { cwd: project });
    expect(await server.printed(ready)).toBeTruthy();
  });

  it("show a command that saves the state of a world as a fixture", async (context) => {
    needs(context, "bash", "curl");
    await using mock = await startMock({ fixtures: json("fixture") });
    const rotated = await mock.addGroup({ provided_id: "later", name: "Later" });
    const folder = await inUse.folder("state");
    const [, , save = ""] = shellOf("options.md");
    await run("bash", ["-c", save.replace("http://127.0.0.1:4010", mock.url)], { cwd: folder });
    await using next = await startMock({ fixtures: join(folder, "groups.json") });
    expect(await next.state()).toEqual(await mock.state());
    expect(await next.groups()).toContainEqual(expect.objectContaining({ token: rotated.token }));
  });

  it("show commands that start the mock with one profile and with two", async (context) => {
    needs(context, "bash");
    for (const kind of ["profile", "own"])
      await writeFile(join(project, `${kind}.json`), blockOf("json", kind).text);
    const [both = ""] = shellOf("profile.md");
    await using server = start("bash", ["-c", both.replace("4010", "0")], { cwd: project });
    const url = await server.printed(/^usergroup-mock listening on (\S+)$/m);
    expect(await getOrCreate(url, {}, { apiToken: "wrong" })).toMatchObject(
      json("own").situations["no API token"],
    );
  });

  it("show a command that validates a fixture without the mock", async (context) => {
    needs(context, "bash");
    const command =
      shellOf("options.md")[3]?.replace("npx ajv-cli", `npx --yes ${specOf("ajv-cli@5")}`) ?? "";
    expect(await bash(command)).toContain("groups.json valid");
    const wrong = blockOf("json", "fixture").text.replace('"213"', "213");
    await writeFile(join(project, "wrong.json"), wrong);
    await expect(bash(command.replace("groups.json", "wrong.json"))).rejects.toThrow("/mapping/40");
  });

  it("show tables of explore as a real run prints them", async (context) => {
    needs(context, "bash");
    const [faults = "", explore = ""] = shellOf("explore.md");
    const explored = await bash(explore);
    expect(explored).toContain(`${textOf("explore")}\n\n`);
    expect(explored).toContain("Your tests depend on 1 of 2 assumptions; it is not known.");
    const injected = await bash(faults.replace("--faults", "--faults --concurrency 2"));
    expect(injected).toContain(`${textOf("faults")}\n`);
  });

  it("show commands that write a report", async (context) => {
    needs(context, "bash");
    const [always = ""] = shellOf("journal-and-inspector.md");
    await bash(always);
    expect(await readFile(join(project, "report.html"), "utf8")).toContain("<!doctype html>");
    await rm(join(project, "report.html"));
    const [onFailure = ""] = shellOf("troubleshooting.md");
    await bash(onFailure);
    await expect(stat(join(project, "report.html"))).rejects.toThrow("ENOENT");
    await expect(bash(onFailure.replace("npm test", "npm run no-such-script"))).rejects.toThrow();
    expect(await readFile(join(project, "report.html"), "utf8")).toContain("<!doctype html>");
  });

  it("show a command that runs the mock from a fresh clone", async (context) => {
    needs(context, "bash", "git");
    const clone = await inUse.folder("clone");
    const list = ["ls-files", "--cached", "--others", "--exclude-standard"];
    const tracked = await run("git", list, { cwd: repository });
    for (const file of tracked.trim().split("\n")) await cp(join(repository, file), join(clone, file));
    const [given = ""] = shellOf("README.md")[0]?.split("\n") ?? [];
    const command = given.replace("npm install", "npm install --prefer-offline").replace("4010", "0");
    await using server = start("bash", ["-c", command], { cwd: clone });
    expect(await server.printed(/^(usergroup-mock listening on http:\/\/127.0.0.1:\d+)$/m)).toBeTruthy();
  });
});
