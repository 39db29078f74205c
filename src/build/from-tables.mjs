// Derives from the tables of the code: the tables in docs/, and a part of a schema.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./ensure-built.mjs";
import { loadSource } from "./load-source.mjs";

const { adminCalls } = await loadSource("fake/contract/admin-calls.ts");
const { assumptions, valuesOf } = await loadSource("fake/contract/assumptions.ts");
const { ownFailures, serviceFailures } = await loadSource("fake/contract/failures.ts");
const { fixedChoices } = await loadSource("fake/contract/fixed-choices.ts");
const { responseNames, successes } = await loadSource("fake/contract/response-names.ts");
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
    responses: table(
      ["name", "status", "when", "narrower names"],
      Object.entries(responseNames)
        .filter(([name]) => !name.includes("."))
        .map(([name, when]) => {
          const status = serviceFailures[name]?.status ?? 200;
          return [`\`${name}\``, String(status), String(when), narrowerNames(name)];
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

/**
 * The names below a name of a response. Those that have the same names below them stand together: "`.a` `.b`, each with
 * `.missing` `.null`".
 * @param {string} name
 */
function narrowerNames(name) {
  /** @type {Map<string, string[]>} */
  const namesByKinds = new Map();
  for (const ending of endingsOf(name)) {
    const kinds = quoted(endingsOf(name + ending));
    namesByKinds.set(kinds, [...(namesByKinds.get(kinds) ?? []), ending]);
  }
  const parts = [...namesByKinds].map(([kinds, endings]) => {
    const each = endings.length > 1 ? ", each with " : " with ";
    return quoted(endings) + (kinds === "" ? "" : each + kinds);
  });
  return parts.join("; ");
}

/** The last parts of the names directly below a name, with their dots. @param {string} name */
function endingsOf(name) {
  const below = Object.keys(responseNames).filter((other) => other.startsWith(`${name}.`));
  return below.map((other) => other.slice(name.length)).filter((ending) => ending.lastIndexOf(".") === 0);
}

/** @param {string[]} texts */
function quoted(texts) {
  return texts.map((text) => `\`${text}\``).join(" ");
}

/** Updates the assumptions in their schema. @param {string} text */
export function withAssumptions(text) {
  const members = Object.entries(assumptions).map(([id, { question, values }]) => {
    const meanings = valuesOf(id).map((/** @type {string} */ value) => `\n- ${value}: ${values[value]}`);
    const allowed = JSON.stringify(valuesOf(id)).replaceAll(",", ", ");
    return [id, `"enum": ${allowed}`, [question, ...meanings].join("")];
  });
  return withMembers(text, "", "  ", members);
}

/** Updates the names of responses in the schema of profiles. @param {string} text */
export function withResponseNames(text) {
  const members = Object.entries(responseNames).map(([name, when]) => {
    const $ref = `profile.json#/$defs/${name in successes ? "success" : "failure"}`;
    return [name, `"$ref": "${$ref}"`, when.replaceAll("`", "")];
  });
  return withMembers(text, '"title": "ProfileResponses"', "      ", members);
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
