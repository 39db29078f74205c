// What derives from the tables of the code: the type of the options, and the tables of the pages.
import { load } from "./load.mjs";

export async function mockOptions() {
  const { optionTable, optionNames } = await load("src/options/option-table.ts");
  const members = optionNames.map((/** @type {string} */ name) => {
    const { kind, inCode, defaultTexts, example } = optionTable[name];
    // startMock reads no config file by itself.
    const usual =
      name === "config" || defaultTexts.embedded === "" ? "" : ` Default: ${defaultTexts.embedded}.`;
    const words = `${inCode}.${usual}`;
    const comment =
      example === undefined ? `/** ${words} */` : `/**\n   * ${words}\n   * @example ${example}\n   */`;
    return `  ${comment}\n  ${name}?: ${kind.type};`;
  });
  const { assumptions, assumptionIds, valuesOf } = await load("src/service/assumptions.ts");
  const choices = assumptionIds.map((/** @type {string} */ id) => {
    const { question, values } = assumptions[id];
    const meanings = valuesOf(id).map(
      (/** @type {string} */ value, /** @type {number} */ i) =>
        `   * - \`${value}\`${i === 0 ? " (default)" : ""}: ${values[value]}`,
    );
    const type = valuesOf(id).map((/** @type {string} */ value) => JSON.stringify(value));
    return `  /**\n   * ${question}\n   *\n${meanings.join("\n")}\n   */\n  "${id}"?: ${type.join(" | ")};`;
  });
  return `// Made from the tables of options and assumptions by \`npm run generate\`. Change the tables, not this file.
import type { Fixture } from "../generated/types.js";
import type { LogStyle } from "../options/option-kinds.js";

/**
 * How a fake is started. Everything may be left out.
 * @example const options: MockOptions = { fixtures: "test/groups.json", assume: { "old-token": "accepted" } };
 */
export interface MockOptions {
${members.join("\n")}
}

/**
 * Values for some of the assumptions about the service.
 * @example await mock.assume({ "old-token": "accepted" });
 */
export type AssumptionChoice = {
${choices.join("\n")}
};
`;
}

/** The schema of the config file, for editors. */
export async function configSchema() {
  const { optionTable, optionNames } = await load("src/options/option-table.ts");
  const names = optionNames.filter((/** @type {string} */ name) => name !== "config");
  const properties = names.map((/** @type {string} */ name) => {
    const { kind, inCode, defaultTexts } = optionTable[name];
    const usual = defaultTexts.server === "" ? "" : ` Default: ${defaultTexts.server}.`;
    return [name, { description: `${inCode}.${usual}`, ...kind.jsonSchema() }];
  });
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "config.schema.json",
    title: "Config",
    description: "The config file of usergroup-mock. Paths are relative to the file.",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string", description: "For editors; ignored." },
      ...Object.fromEntries(properties),
    },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/**
 * A page with its tables renewed.
 * @param {string} text
 */
export async function withTables(text) {
  const { optionTable, optionNames } = await load("src/options/option-table.ts");
  const { flagName } = await load("src/cli/names.ts");
  const { assumptions, valuesOf } = await load("src/service/assumptions.ts");
  const { adminCalls } = await load("src/contract/admin-calls.ts");
  const { failures } = await load("src/contract/failures.ts");
  const { faultEffects } = await load("src/contract/fault-effects.ts");
  const tables = {
    options: table(
      ["flag", "default", ""],
      optionNames.map((/** @type {string} */ name) => {
        const { describe, defaultTexts } = optionTable[name];
        return [`\`${flagName(name)}\``, defaultTexts.server, describe];
      }),
    ),
    assumptions: table(
      ["id", "the question", "default", "or"],
      Object.entries(assumptions).map(([id, { question, values }]) => {
        const [first, ...others] = valuesOf(id).map(
          (/** @type {string} */ value) => `\`${value}\` (${values[value]})`,
        );
        return [`\`${id}\``, question, first, others.join(", ")];
      }),
    ),
    "admin calls": table(
      ["call", "does"],
      Object.values(adminCalls).map(({ call, summary }) => [
        `\`${call.replace(" ", " /__admin")}\``,
        summary,
      ]),
    ),
    failures: table(
      ["code", "status", "when"],
      Object.entries(failures).map(([code, { status, when }]) => [`\`${code}\``, String(status), when]),
    ),
    "fault effects": table(
      ["effect", "what the caller gets"],
      Object.values(faultEffects).map(({ docs }) => [docs.field, docs.clientGets]),
    ),
  };
  return Object.entries(tables).reduce((renewed, [name, part]) => withText(renewed, name, part), text);
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** @param {string} text @param {string} name @param {string} part */
function withText(text, name, part) {
  const place = new RegExp(`(<!-- ${name}: [^\n]*-->\n)[^]*(<!-- /${name} -->)`);
  return text.replace(place, (_, before, after) => `${before}${part}\n${after}`);
}
