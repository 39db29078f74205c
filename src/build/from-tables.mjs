// Derives from the tables of the code: the tables in docs/, and a part of a schema.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ensure-built.mjs";
import { loadSource } from "./load-source.mjs";

const { adminCalls } = await loadSource("fake/contract/admin-calls.ts");
const { assumptions, valuesOf } = await loadSource("fake/contract/assumptions.ts");
const { failures, ownFailures } = await loadSource("fake/contract/failures.ts");
const { fixedChoices } = await loadSource("fake/contract/assumptions.ts");
const { knownShape, rowOf, situationIds, wordsOf } = await loadSource("fake/contract/situations.ts");
const { assumptionOf } = await loadSource("fake/contract/assumptions.ts");
const { flagName } = await loadSource("options/names.ts");
const { optionTable } = await loadSource("options/option-table.ts");
const [versions, ...figures] = JSON.parse(readFileSync(join(root, "test/bench/figures.json"), "utf8"));

/**
 * Updates the tables of a page.
 * @param {string} text
 */
export function withTables(text) {
  const tables = {
    fixed: Object.values(fixedChoices)
      .map((sentence) => `- ${sentence}`)
      .join("\n"),
    options: table(
      ["flag", "default", ""],
      Object.entries(optionTable).map(([name, { describe, defaultTexts }]) => [
        `\`${flagName(name)}\``,
        defaultTexts.server,
        describe,
      ]),
    ),
    assumptions: table(
      ["id", "question", "default", "alternatives"],
      Object.entries(assumptions).map(([id, { question, values }]) => {
        const [first, ...others] = valuesOf(id).map(
          (/** @type {string} */ value) => `\`${value}\` (${values[value]})`,
        );
        return [`\`${id}\``, question, first, others.join(", ")];
      }),
    ),
    "admin calls": table(
      ["request", "what it does"],
      Object.values(adminCalls).map(({ call, summary }) => [
        `\`${call.replace(" ", " /__admin")}\``,
        summary,
      ]),
    ),
    situations: table(
      ["situation", "a request meets it when", "the service does", "from"],
      situationIds.map((/** @type {string} */ id) => {
        const { when, outcomes, code, isDocumented } = rowOf(id);
        const response = code === "invalid_body" ? "" : ` (${failures[code]?.status} \`${code}\`)`;
        const all = outcomes.map((/** @type {string} */ outcome) =>
          outcome === "rejected" ? `rejected${response}` : outcome,
        );
        const assumption = assumptionOf.get(id);
        const source = assumption === undefined ? "" : `\`${assumption}\``;
        return [`\`${id}\``, when, all.join(", ") || "a response", isDocumented ? "the document" : source];
      }),
    ),
    figures: table(versions, figures),
    failures: table(
      ["code", "status", "when"],
      Object.entries(ownFailures).map(([code, { status, when }]) => [`\`${code}\``, String(status), when]),
    ),
  };
  return Object.entries(tables).reduce((page, [name, part]) => {
    const place = new RegExp(`(<!-- ${name}: [^\n]*-->\n)[^]*(<!-- /${name} -->)`);
    return page.replace(place, (_, before, after) => `${before}${part}\n${after}`);
  }, text);
}

/** Updates the assumptions and situations in the schema of what can be assumed. @param {string} text */
export function withAssumptions(text) {
  const ofAssumptions = Object.entries(assumptions).map(([id, { question, values }]) => {
    const meanings = valuesOf(id).map((/** @type {string} */ value) => `\n- ${value}: ${values[value]}`);
    return [id, `"enum": ${listed(valuesOf(id))}`, [question, ...meanings].join("")];
  });
  const ofSituations = situationIds
    .filter((/** @type {string} */ id) => wordsOf(id).length > 0)
    .map((/** @type {string} */ id) => [id, `"enum": ${listed(wordsOf(id))}`, rowOf(id).when]);
  return withMembers(text, "", "  ", [...ofAssumptions, ...ofSituations]);
}

/** Updates the situations in the schema of profiles. @param {string} text */
export function withSituations(text) {
  const members = situationIds.map((/** @type {string} */ id) => {
    const words = wordsOf(id);
    const $ref = `"$ref": "profile.json#/$defs/${knownShape(id)}"`;
    return [
      id,
      words.length === 0 ? $ref : anyOf(`{ "enum": ${listed(words)} }`, `{ ${$ref} }`),
      rowOf(id).when,
    ];
  });
  return withMembers(text, '"title": "KnownSituations"', "      ", members);
}

/** On one line, if the formatter would leave it there. @param {string[]} schemas */
function anyOf(...schemas) {
  const line = `"anyOf": [${schemas.join(", ")}]`;
  return line.length <= 99 ? line : `"anyOf": [\n      ${schemas.join(",\n      ")}\n    ]`;
}

/** @param {readonly string[]} texts */
function listed(texts) {
  return JSON.stringify(texts).replaceAll(",", ", ");
}

/**
 * Replaces the first properties in a schema that have this indent, after some text.
 * @param {string} text @param {string} after @param {string} indent @param {string[][]} members name, rule, description
 */
function withMembers(text, after, indent, members) {
  const shown = members.map(
    ([member, rule, description]) =>
      `\n  "${member}": {\n    ${rule},\n    "description": ${JSON.stringify(description)}\n  }`,
  );
  const place = new RegExp(`(?<=\n${indent}"properties": \\{).*?(?=\n${indent}\\})`, "s");
  const start = text.indexOf(after);
  const replaced = text.slice(start).replace(place, () => shown.join(",").replaceAll("\n", `\n${indent}`));
  return text.slice(0, start) + replaced;
}

/** @param {string[]} head @param {string[][]} rows */
function table(head, rows) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}
