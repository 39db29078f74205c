import {
  defaultOutcome,
  isSituation,
  isSuccess,
  type SituationId,
  situationIds,
} from "../../../fake/contract/situations.js";
import { counted } from "../../../foundation/grammar.js";
import { isObject } from "../../../foundation/json.js";
import { printable, shorten } from "../../../foundation/printable.js";
import { hasQuestion } from "../ask/questions.js";
import { expectedOutcome, type VerifyRun } from "../ask/run.js";
import type { MockDifference } from "../check/check.js";
import type { ServiceChange } from "../check/drift.js";
import { facts } from "../learn/facts.js";
import type { Report } from "../verify-service.js";

export interface Shown {
  /** The whole list. */
  readonly isVerbose: boolean;
  /** The file of --out. */
  readonly out?: string | undefined;
  readonly exit: { readonly code: number; readonly why: string };
}

/** The output of a run, for a screen: what is most surprising first. */
export function reportText(report: Report, { isVerbose, out, exit }: Shown): string {
  return [
    ...foreignLines(report),
    headLine(report.run),
    ...brokenLines(report),
    ...surprisingLines(report, isVerbose),
    ...(isVerbose ? allLines(report) : []),
    ...differenceLines(report.checked?.different ?? [], out),
    ...changeLines(report.changes),
    "",
    ...sumLines(report),
    ...(exit.code === 0 ? [] : [`Exit code ${exit.code}: ${exit.why}.`]),
  ].join("\n");
}

/** What was learned before the run was interrupted. */
export function interruptedText(report: Report): string {
  const { run } = report;
  return [
    ...foreignLines(report),
    headLine(run),
    ...surprisingLines(report, false),
    "",
    `Interrupted after ${counted(run.client.requests, "request")}. Nothing was written. The ids and names of its groups begin with ${run.groups.prefix}.`,
  ].join("\n");
}

/** Said first. */
function foreignLines({ run, secrets }: Report): string[] {
  if (run.foreign.size === 0) return [];
  const lines = [...run.foreign.values()].map((line) => secrets.show(line));
  return [...lines, "Nothing like it was asked after that. Tell the owner of the service.", ""];
}

function headLine({ target, client, groups }: VerifyRun): string {
  const sent = `${counted(client.requests, "request")}, at most ${counted(groups.count, "group")} ${groups.prefix}…`;
  return printable(`Asked ${target.baseUrl} (${sent})`);
}

function brokenLines({ broken, secrets }: Report): string[] {
  if (broken.length === 0) return [];
  const lines = broken.map(({ id, detail }) => secrets.show(`  ${id}: ${facts[id]}, but ${detail}`));
  return ["", "The document says, and the service does not:", ...lines];
}

/** What the mock assumes in another way, the rows of one outcome together; and what a profile cannot say. */
function surprisingLines({ run, learned }: Report, isVerbose: boolean): string[] {
  const byOutcome = new Map<string, string[]>();
  for (const row of situationIds) {
    const outcome = expectedOutcome(learned.situations, row);
    if (
      outcome === undefined ||
      isSuccess(row) ||
      row === "every response" ||
      outcome === defaultOutcome(row)
    )
      continue;
    byOutcome.set(outcome, [...(byOutcome.get(outcome) ?? []), row + limitText(learned.situations[row])]);
  }
  const lines = [...byOutcome].map(([outcome, rows]) => `  ${outcome}: ${rows.join(", ")}`);
  const unlearned = [...learned.unlearned]
    .filter(([row]) => run.notAsked.get(row)?.reason.isSurprising)
    .map(([row, why]) => `  ${row}: ${why.kind} (${why.message})`);
  return [
    ...(lines.length === 0 || isVerbose ? [] : ["", "Other than the mock assumes:", ...lines.map(printable)]),
    ...(unlearned.length === 0 ? [] : ["", "Not in the profile:", ...unlearned.map(printable)]),
  ];
}

function limitText(said: unknown): string {
  if (!isObject(said)) return "";
  const { over, under, characters } = said;
  if (over !== undefined) return ` (over ${over})`;
  if (under !== undefined) return ` (under ${under})`;
  return characters === undefined ? "" : ` (not ${characters})`;
}

/** Every situation, with its outcome or the reason why it is not known. */
function allLines({ run, learned, secrets }: Report): string[] {
  const lines = situationIds.map((row) => {
    const said = learned.situations[row];
    const known = typeof said === "string" ? said : said && JSON.stringify(said);
    const why = run.notAsked.get(row);
    const reason = why === undefined ? "not asked" : `not known: ${secrets.show(why.message)}`;
    return `  ${row}: ${known === undefined ? reason : printable(shorten(known, 300))}`;
  });
  return ["", "All situations:", ...lines];
}

/** Each kind of difference has a heading. The most dangerous comes first. */
const headings: Readonly<Record<MockDifference["mockIs"], string>> = {
  lenient: "The mock accepts what the service rejects, so tests could pass and production fail:",
  strict: "The mock rejects what the service accepts:",
  different: "The mock responds in another way:",
};

function differenceLines(different: readonly MockDifference[], out: string | undefined): string[] {
  const kinds = Object.keys(headings) as MockDifference["mockIs"][];
  const lines = kinds.flatMap((kind) => {
    const ofKind = different.filter(({ mockIs }) => mockIs === kind);
    const texts = ofKind.flatMap(({ request, service, mock }) => [
      `  ${request}`,
      `    service: ${service}`,
      `    mock:    ${mock}`,
    ]);
    return ofKind.length === 0 ? [] : ["", headings[kind], ...texts];
  });
  if (lines.length === 0) return [];
  const files = `--profile ${out ?? "profile.json"} --profile corrections.json`;
  return [...lines, "", `Correct a situation by hand in a second profile, which wins: ${files}`];
}

/** Three-way, one line each. */
function changeLines(changes: readonly ServiceChange[] | undefined): string[] {
  if (changes === undefined) return [];
  if (changes.length === 0) return ["", "Nothing has changed."];
  const lines = changes.map(
    ({ situation, document, profile, service }) =>
      `  ${situation}: document ${document}, profile ${profile}, service now ${service}`,
  );
  return ["", "Changed:", ...lines.map((line) => printable(shorten(line, 300)))];
}

function sumLines({ run, learned, checked }: Report): string[] {
  const lines: string[] = [];
  if (checked !== undefined)
    lines.push(`The mock responded as the service to ${checked.same} of ${checked.of} further requests.`);
  const asked = situationIds.filter(hasQuestion);
  const known = asked.filter((row) => row in learned.situations).length;
  const sum = `${known} of ${asked.length} situations that verify can ask are known`;
  const open = notAskedText(run);
  lines.push(open === "" ? `${sum}.` : `${sum}; ${open}.`);
  if (run.ended !== undefined) lines.push(printable(`The run ended early: ${run.ended}.`));
  return lines;
}

/** The reasons, each with its number. Empty: everything was asked. */
function notAskedText({ notAsked }: VerifyRun): string {
  const counts = new Map<string, number>();
  for (const [row, { kind }] of notAsked)
    if (isSituation(row) && hasQuestion(row)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return "";
  const reasons = [...counts].map(([kind, count]) => `${kind}: ${count}`).join(", ");
  return `${total} ${total === 1 ? "was" : "were"} not asked (${reasons})`;
}

/** What --json prints. */
export function reportJson({ run, secrets, learned, broken, checked, changes }: Report): object {
  const reasons = [...run.notAsked].map(([row, why]): [SituationId, string] => [
    row,
    secrets.show(why.message),
  ]);
  return {
    against: run.target.baseUrl,
    prefix: run.groups.prefix,
    requests: run.client.requests,
    groups: run.groups.count,
    ...(run.ended !== undefined && { ended: secrets.show(run.ended) }),
    broken: broken.map(({ id, detail }) => ({ id, detail: secrets.show(detail) })),
    foreign: [...run.foreign].map(([situation, text]) => ({ situation, text: secrets.show(text) })),
    situations: learned.situations,
    notAsked: Object.fromEntries(reasons),
    further: checked ?? null,
    changes: changes ?? null,
  };
}
