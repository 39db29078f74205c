import { counted, sentence } from "../../../foundation/grammar.js";
import { isObject } from "../../../foundation/json.js";
import { shorten } from "../../../foundation/printable.js";
import { columns } from "../../../foundation/terminal.js";
import type { KnownFailure } from "../../../generated/types.js";
import type { AssumptionFinding } from "../learn/conclude-assumptions.js";
import type { FactFinding } from "../learn/conclude-facts.js";
import type { ObservedRule } from "../learn/learn-accepts.js";
import type { UnlikeResponse } from "../replay/compare.js";
import type { LearnedProfile, Report } from "../verify-findings.js";
import type { Drift } from "./drift.js";

/** The comparison with an earlier profile. */
export interface DriftReport {
  readonly files: readonly string[];
  readonly changes: readonly Drift[];
}

/** The report of a run that was not interrupted, for a screen. */
export function reportText(report: Report, learned: LearnedProfile): string {
  const isBroken = report.facts.some(({ verdict }) => verdict === "broken");
  return [
    ...findingLines(report),
    ...section("Responses", responseRows(learned)),
    "",
    ...summary(report, isBroken ? " (exit code 1)" : ""),
    ...unansweredLines(report, isBroken),
    ...differencesIn(learned),
    ...exampleLines(learned),
    "",
    judgementLine("The mock with this profile", learned),
  ].join("\n");
}

/** The report with --expect: what has changed comes last. How the mock differs is not shown: it may have been so before. */
export function driftText(report: Report, learned: LearnedProfile, drift: DriftReport): string {
  return [
    ...findingLines(report),
    ...section("Responses", responseRows(learned)),
    "",
    ...summary(report),
    ...unansweredLines(report, drift.changes.length > 0),
    "",
    judgementLine("A mock with what was learned now", learned),
    ...driftLines(report, drift),
  ].join("\n");
}

/** What was learned before the run was interrupted. */
export function interruptedText(report: Report): string {
  return [
    ...findingLines(report),
    "",
    ...summary(report),
    `Interrupted after ${counted(report.requests, "request")}. Nothing was written. The names and ids of its groups begin with ${report.prefix}.`,
  ].join("\n");
}

function findingLines({ against, prefix, requests, groups, facts, assumptions, rules }: Report): string[] {
  const sent = `${counted(requests, "request")}, ${counted(groups, "group")} ${prefix}…`;
  return [
    `Checked ${against} (${sent})`,
    ...section("Documented facts", facts.map(factRow)),
    ...section("Open questions", assumptions.map(assumptionRow)),
    ...section("What a body may contain", ruleRows(rules)),
  ];
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ["", title, ...columns(rows)];
}

function factRow({ verdict, fact, detail, why }: FactFinding): string[] {
  const reason = detail ?? why;
  return [verdict, reason === undefined ? fact : `${fact}: ${reason}`];
}

function assumptionRow(finding: AssumptionFinding): string[] {
  const { id, value, default: assumed, field, remark, why = "" } = finding;
  if (value === null) return [id, "not determinable", why];
  const compared = value === assumed ? "as the mock assumes" : `the mock assumes ${assumed}`;
  const more = remark ?? (field === undefined ? undefined : `known for ${field}`);
  return [id, value, more === undefined ? compared : `${compared}; ${more}`];
}

/** The keywords of each field, in words. */
function ruleRows(rules: readonly ObservedRule[]): string[][] {
  const places = new Map<string, string[]>();
  for (const rule of rules) {
    const place = rule.field === "" ? rule.operation : rule.field;
    const words = places.get(place) ?? [];
    places.set(place, words);
    const text = ruleText(rule);
    if (text !== undefined) words.push(text);
  }
  return [...places].map(([place, words]) => [place, words.join("; ") || "no rule was found"]);
}

/** Undefined if there is no such rule. */
function ruleText({ field, keyword, value, below }: ObservedRule): string | undefined {
  if (value === undefined) return undefined;
  switch (keyword) {
    case "required":
      return `every request needs ${(value as readonly string[]).join(", ")}`;
    case "type":
      return [value].flat().join(" or ");
    case "minLength":
      return shortestText(Number(value));
    case "maxLength":
      return longestText(Number(value), below);
    case "maxProperties":
      return `at most ${counted(Number(value), "key")}${below === undefined ? "" : ` (may be more, ${below} are too many)`}`;
    case "propertyNames":
      return "keys: numbers";
    case "additionalProperties":
      return field === "" ? furtherFieldsText(value) : valuesText(value);
    default:
      return `matches ${value}`;
  }
}

function longestText(length: number, below: number | undefined): string {
  if (length === 0) return "at most 0 characters: no longer text was accepted";
  return `at most ${length} characters${below === undefined ? "" : ` (may be more, ${below} are too long)`}`;
}

function shortestText(length: number): string {
  if (length === 0) return "may be empty";
  return length === 1 ? "not empty" : `at least ${length} characters`;
}

function furtherFieldsText(isAccepted: unknown): string {
  return isAccepted === true ? "any further fields" : "no further fields";
}

/** The values in mapping or properties. */
function valuesText(schema: unknown): string {
  return isObject(schema) ? `values: ${[schema.type].flat().join(" or ")}` : "any values";
}

function responseRows({ profile, client }: LearnedProfile): string[][] {
  return Object.entries<KnownFailure>({ ...profile.responses }).map(
    ([name, { status, headers, body, text }]) => {
      const shown = [
        status,
        headers === undefined ? "" : JSON.stringify(headers),
        body === undefined ? (text ?? "") : JSON.stringify(body),
      ];
      return [name, shorten(client.secrets.show(shown.filter(Boolean).join(" ")), 200)];
    },
  );
}

/** @param consequence of a broken fact */
function summary({ facts, assumptions }: Report, consequence = ""): string[] {
  if (facts.length === 0) return [];
  const holding = facts.filter(({ verdict }) => verdict === "holds").length;
  const found = assumptions.filter(({ value }) => value !== null);
  const differing = found.filter(({ value, default: assumed }) => value !== assumed).length;
  const open = assumptions.length - found.length;
  const differ = `${differing} of ${assumptions.length} assumptions ${differing === 1 ? "differs" : "differ"}`;
  return [
    `${holding} of ${facts.length} facts hold${consequence}. ${differ} from the mock's defaults, ${open} could not be determined.`,
  ];
}

/** How many questions without a response are named. */
const maxNamed = 5;

/** @param isDecided whether the exit code says something else */
function unansweredLines({ unanswered }: Report, isDecided: boolean): string[] {
  if (unanswered.length === 0) return [];
  const named = unanswered.slice(0, maxNamed).join("; ");
  const others = unanswered.length > maxNamed ? "; and others" : "";
  const code = isDecided ? "" : " (exit code 2)";
  return [`No usable response to ${counted(unanswered.length, "question")}${code}: ${named}${others}.`];
}

/** Each kind of difference has a heading. The most dangerous comes first. */
const headings: Readonly<Record<UnlikeResponse["mockIs"], string>> = {
  lenient: "The mock accepts what the service rejects, so tests could pass and production fail:",
  strict: "The mock rejects what the service accepts:",
  different: "The mock responds in another way:",
};

function differencesIn({ further, replay }: LearnedProfile): string[] {
  const all = [...further.different, ...replay.different];
  const kinds = Object.keys(headings) as UnlikeResponse["mockIs"][];
  return kinds.flatMap((kind) => {
    const ofKind = all.filter(({ mockIs }) => mockIs === kind);
    return ofKind.length === 0 ? [] : ["", headings[kind], ...ofKind.flatMap(differenceLines)];
  });
}

function differenceLines({ request, service, mock, inexpressible }: UnlikeResponse): string[] {
  const why =
    inexpressible === undefined ? [] : [`    No profile can express this: ${sentence(inexpressible)}`];
  return [`  ${request}`, `    service: ${service}`, `    mock:    ${mock}`, ...why];
}

/** The fields that a profile can only show with one value. */
function exampleLines({ responses, client }: LearnedProfile): string[] {
  const { fixedExamples } = responses;
  if (fixedExamples.length === 0) return [];
  const fields = fixedExamples.map((path) => path.slice(1).replaceAll("/", "."));
  // The service chooses these names, which may have a token in them.
  const shown = shorten(client.secrets.show(fields.join(", ")), 400);
  return ["", `The mock always shows the same example in ${shown}: the service does not.`];
}

function judgementLine(subject: string, { further, replay }: LearnedProfile): string {
  return (
    `${subject} responded as the service to ${further.same} of ${further.of} further requests,` +
    ` and to ${replay.same} of ${replay.of} from which it was learned` +
    ` (same body: ${further.exact} and ${replay.exact}, examples aside).`
  );
}

function driftLines({ unanswered }: Report, { files, changes }: DriftReport): string[] {
  const written = `${files.join(" and ")} ${files.length === 1 ? "was" : "were"} written`;
  const limit = unanswered.length === 0 ? "" : ", as far as the service responded";
  if (changes.length === 0) return ["", `Nothing has changed since ${written}${limit}.`];
  const lines = changes.map(({ id, change }) => `  ${id}: ${change}`);
  return ["", `Changed since ${written}:`, ...lines];
}
