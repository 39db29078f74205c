import {
  defaultOutcome,
  isSuccess as isSuccessRow,
  outcomeFor,
  rowOf,
  type SituationId,
  situationIds,
} from "../../../fake/contract/situations.js";
import { isObject, type JsonObject } from "../../../foundation/json.js";
import { typeName } from "../../../foundation/json-shape.js";
import type { KnownSituations, Profile } from "../../../generated/types.js";
import { isAskedOnceMore } from "../ask/questions.js";
import { expectedOutcome, type Seen, type VerifyRun } from "../ask/run.js";
import type { BrokenFact } from "../learn/facts.js";
import { type Known, knownResponse } from "../learn/known-response.js";
import type { Learned } from "../learn/learn.js";
import { example } from "../learn/secrets.js";
import { isNewGroup } from "../service/exchanges.js";

/** What has changed in a situation, or a documented fact that no longer holds. */
export interface ServiceChange {
  readonly situation: string;
  /** What the document says; – where it says nothing. */
  readonly document: string;
  readonly profile: string;
  readonly service: string;
}

/** The differences between a profile and what the service does now. What was not asked is left out. */
export function findChanges(
  expected: KnownSituations,
  run: Pick<VerifyRun, "seen">,
  learned: Learned,
): ServiceChange[] {
  const known = expected as Known;
  return situationIds.flatMap((row) => {
    const seen = run.seen.get(row);
    if (seen === undefined || known[row] === undefined || row === "several problems") return [];
    const differences = isSuccessRow(row)
      ? responseDifferences(responseOf(row, known), responseOf(row, learned.found))
      : outcomeDifferences(row, expected, learned, seen);
    const document = rowOf(row).isDocumented ? (defaultOutcome(row) ?? "–") : "–";
    return differences.map((one) => ({ situation: row, document, ...one }));
  });
}

/** A fact that was broken when the file was written is not new. */
export function newlyBroken({ verified }: Profile, broken: readonly BrokenFact[]): ServiceChange[] {
  return broken
    .filter(({ id }) => !verified?.broken?.includes(id))
    .map(({ id, detail }) => ({ situation: id, document: "holds", profile: "holds", service: detail }));
}

/** Changes that were found twice. What differs between the two is an example, such as a time. */
export function inBoth(first: readonly ServiceChange[], second: readonly ServiceChange[]): ServiceChange[] {
  const texts = new Set(second.map((one) => JSON.stringify(one)));
  return first.filter((one) => texts.has(JSON.stringify(one)));
}

type Deviation = Pick<ServiceChange, "profile" | "service">;

function outcomeDifferences(
  row: SituationId,
  expected: KnownSituations,
  { found }: Learned,
  { outcome, received }: Seen,
): Deviation[] {
  // How a group that exists took a value may not show: then a new one was asked when the file was written.
  const isCertain = isNewGroup(received) || !isAskedOnceMore(row);
  const was = expectedOutcome(expected, row) ?? "";
  const now = outcome === undefined ? "rejected" : outcomeFor(row, outcome);
  const wasResponse = responseOf(row, expected as Known);
  const response = responseOf(row, found);
  if (was !== now && areBothAccepted(was, now) && !isCertain) return [];
  if (was !== now) return [{ profile: withStatus(was, wasResponse), service: withStatus(now, response) }];
  if (now !== "rejected") return [];
  return [...limitDifferences(expected[row], found[row]), ...responseDifferences(wasResponse, response)];
}

function areBothAccepted(was: string, now: string): boolean {
  return was !== "rejected" && now !== "rejected";
}

function withStatus(outcome: string, { status }: JsonObject): string {
  return outcome === "rejected" && status !== undefined ? `rejected (${status})` : outcome;
}

/** The response of a situation, with the headers of every response. */
function responseOf(row: SituationId, known: Known): JsonObject {
  const response = knownResponse(row, known);
  if (response === undefined && !isSuccessRow(row)) return {};
  const headers = { ...Object(known["every response"]).headers, ...Object(response?.headers) };
  return { ...(isSuccessRow(row) && { status: 200 }), ...response, headers };
}

function limitDifferences(was: unknown, now: unknown): Deviation[] {
  return ["over", "under", "characters"].flatMap((name) => {
    const [before, after] = [Object(was)[name], Object(now)[name]];
    const isSame = before === after || before === undefined || after === undefined;
    return isSame ? [] : [{ profile: `${name} ${before}`, service: `${name} ${after}` }];
  });
}

/** What the file leaves out is not compared. */
function responseDifferences(was: JsonObject, now: JsonObject): Deviation[] {
  const found: Deviation[] = [];
  if (was.status !== undefined && now.status !== undefined && was.status !== now.status)
    found.push({ profile: `status ${was.status}`, service: `status ${now.status}` });
  // A profile that verify has written has a status in each response of a rejection.
  if (was.status !== undefined) found.push(...headerDifferences(Object(was.headers), Object(now.headers)));
  if (was.text !== undefined && now.body !== undefined) found.push({ profile: "a text", service: "JSON" });
  if (was.body !== undefined && now.text !== undefined) found.push({ profile: "JSON", service: "a text" });
  if (was.body !== undefined && now.body !== undefined) found.push(...bodyDifferences(was.body, now.body));
  return found;
}

function headerDifferences(was: JsonObject, now: JsonObject): Deviation[] {
  const names = [...new Set([...Object.keys(was), ...Object.keys(now)])];
  const show = (name: string, value: unknown) =>
    value === undefined || value === null ? `no ${name}` : `${name}: ${value}`;
  return names
    .map((name) => ({ profile: show(name, was[name]), service: show(name, now[name]) }))
    .filter(({ profile, service }) => sortedList(profile) !== sortedList(service));
}

/** The order of methods in Allow has no meaning. */
function sortedList(header: string): string {
  return header
    .replace(/^allow: /i, "")
    .split(/\s*,\s*/)
    .sort()
    .join(", ");
}

function bodyDifferences(was: unknown, now: unknown): Deviation[] {
  const [before, after] = [placesIn(was), placesIn(now)];
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => {
    if (isBelowEmpty(path, before) || isBelowEmpty(path, after)) return [];
    const [own, other] = [before.get(path), after.get(path)];
    const show = (types: string) => (types === "" ? `no ${path}` : `${path || "body"} ${types}`);
    const types = [own, other].map((place) => sortedWords(place?.types));
    const codes = [own, other].map((place) => sortedWords(place?.codes));
    const isAny = types.some((one) => one.includes(anyType));
    // Where one of them has no code, only the types are compared.
    const differ = [!isAny && types, codes.every((one) => one !== "") && codes];
    return differ.flatMap((one) => {
      if (one === false || one[0] === one[1]) return [];
      return [{ profile: show(one[0] ?? ""), service: show(one[1] ?? "") }];
    });
  });
}

/** A placeholder stands for a value of any type. */
const anyType = "any";

/** A field of a body. The items of a list are one place together. */
interface BodyPlace {
  readonly types: Set<string>;
  readonly codes: Set<string>;
}

function placesIn(value: unknown, path = "", places = new Map<string, BodyPlace>()): Map<string, BodyPlace> {
  const place = places.get(path) ?? { types: new Set(), codes: new Set() };
  places.set(path, place);
  place.types.add(isWholePlaceholder(value) ? anyType : typeName(value));
  if (isCode(value)) place.codes.add(value);
  if (Array.isArray(value)) for (const item of value) placesIn(item, `${path}[]`, places);
  else if (isObject(value))
    for (const [name, one] of Object.entries(value)) placesIn(one, path ? `${path}.${name}` : name, places);
  return places;
}

/** Whether it is in a list that has no items there: what is in them is not known. */
function isBelowEmpty(path: string, places: ReadonlyMap<string, BodyPlace>): boolean {
  const lists = [...path.matchAll(/\[\]/g)].map(({ index }) => path.slice(0, index));
  return lists.some((list) => places.has(list) && !places.has(`${list}[]`));
}

function sortedWords(words: ReadonlySet<string> = new Set()): string {
  return [...words].sort().join(" or ");
}

function isWholePlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^\{\w+(\|\[\])?\}$/.test(value);
}

/** One word of letters: a program may compare it. */
function isCode(value: unknown): value is string {
  return typeof value === "string" && value !== example && /^[A-Za-z][A-Za-z_.-]*$/.test(value);
}
