import { counted, sentence } from "../../../foundation/grammar.js";
import { isObject } from "../../../foundation/json.js";
import { shorten } from "../../../foundation/printable.js";
import { columns } from "../../../foundation/terminal.js";
import type { KnownFailure } from "../../../generated/types.js";
import type { AssumptionFinding } from "../learn/conclude-assumptions.js";
import type { FactFinding } from "../learn/conclude-facts.js";
import type { ObservedRule } from "../learn/learn-accepts.js";
import type { LearnedProfile, Report } from "../verify-service.js";
import type { Comparison, UnlikeResponse } from "./compare.js";
import type { Drift } from "./drift.js";

/** The comparison with an earlier profile. */
export interface DriftReport {
  readonly files: readonly string[];
  readonly changes: readonly Drift[];
}

/** The report for a screen. */
export function reportText(report: Report, drift?: DriftReport): string {
  const { against, prefix, requests, groups, facts, assumptions, rules, learned } = report;
  const sent = `${counted(requests, "request")}, ${counted(groups, "group")} ${prefix}…`;
  return [
    `Checked ${against} (${sent})`,
    ...section("Documented facts", facts.map(factRow)),
    ...section("Open questions", assumptions.map(assumptionRow)),
    ...section("What a body may contain", ruleRows(rules)),
    ...section("Responses", learned === undefined ? [] : responseRows(learned)),
    "",
    ...summary(report, drift),
    ...(learned === undefined ? [] : judgement(learned, drift === undefined)),
    ...(drift === undefined ? [] : driftLines(drift)),
  ].join("\n");
}

/** What was learned before the run was interrupted. */
export function interruptedText(report: Report): string {
  return [
    reportText(report),
    `Interrupted after ${counted(report.requests, "request")}. Nothing was written. The names and ids of its groups begin with ${report.prefix}.`,
  ].join("\n");
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
function ruleText({ keyword, value, below }: ObservedRule): string | undefined {
  if (value === undefined) return undefined;
  switch (keyword) {
    case "required":
      return `every request needs ${(value as readonly string[]).join(", ")}`;
    case "type":
      return [value].flat().join(" or ");
    case "minLength":
      return shortestText(Number(value));
    case "maxLength":
      return `at most ${value} characters${below === undefined ? "" : ` (may be more, ${below} are too long)`}`;
    case "maxProperties":
      return `at most ${counted(Number(value), "key")}${below === undefined ? "" : ` (may be more, ${below} are too many)`}`;
    case "propertyNames":
      return "keys: numbers";
    case "pattern":
      return `matches ${value}`;
    default:
      return valuesText(value);
  }
}

function shortestText(length: number): string {
  if (length === 0) return "may be empty";
  return length === 1 ? "not empty" : `at least ${length} characters`;
}

function valuesText(value: unknown): string {
  if (isObject(value)) return `values: ${[value.type].flat().join(" or ")}`;
  return value === true ? "any further fields" : "no further fields";
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

function summary({ facts, assumptions }: Report, drift: DriftReport | undefined): string[] {
  if (facts.length === 0) return [];
  const holding = facts.filter(({ verdict }) => verdict === "holds").length;
  const found = assumptions.filter(({ value }) => value !== null);
  const differing = found.filter(({ value, default: assumed }) => value !== assumed).length;
  const open = assumptions.length - found.length;
  const differ = `${differing} of ${assumptions.length} assumptions ${differing === 1 ? "differs" : "differ"}`;
  const isFailing = facts.some(({ verdict }) => verdict === "broken") && drift === undefined;
  return [
    `${holding} of ${facts.length} facts hold${isFailing ? " (exit code 1)" : ""}. ${differ} from the mock's defaults, ${open} could not be determined.`,
  ];
}

/** Each kind of difference has a heading. The most dangerous comes first. */
const headings: Readonly<Record<UnlikeResponse["mockIs"], string>> = {
  lenient: "The mock accepts what the service rejects, so tests could pass and production fail:",
  strict: "The mock rejects what the service accepts:",
  different: "The mock responds in another way:",
};

function judgement(learned: LearnedProfile, showsDifferences: boolean): string[] {
  const { further, replay } = learned;
  const all = [...further.different, ...replay.different];
  const kinds = Object.keys(headings) as UnlikeResponse["mockIs"][];
  const differences = kinds.flatMap((kind) => {
    const ofKind = all.filter(({ mockIs }) => mockIs === kind);
    return ofKind.length === 0 ? [] : ["", headings[kind], ...ofKind.flatMap(differenceLines)];
  });
  // With --expect, the differences of the profile that was just learned are not shown.
  const examples = showsDifferences ? exampleLines(learned) : [];
  const subject = showsDifferences ? "The mock with this profile" : "A mock with what was learned now";
  return [...(showsDifferences ? differences : []), ...examples, "", judgementLine(subject, further, replay)];
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

function judgementLine(subject: string, further: Comparison, replay: Comparison): string {
  return (
    `${subject} responded as the service to ${further.same} of ${further.of} further requests,` +
    ` and to ${replay.same} of ${replay.of} from which it was learned` +
    ` (same body: ${further.exact} and ${replay.exact}, examples aside).`
  );
}

function driftLines({ files, changes }: DriftReport): string[] {
  const written = `${files.join(" and ")} ${files.length === 1 ? "was" : "were"} written`;
  if (changes.length === 0) return ["", `Nothing has changed since ${written}.`];
  const lines = changes.map(({ id, change }) => `  ${id}: ${change}`);
  return ["", `Changed since ${written}:`, ...lines];
}
