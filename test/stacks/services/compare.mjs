// Compares what a service and a mock responded to the same step.
import { isSuccess, makeTarget, parse } from "./target.mjs";

/** @typedef {import("./steps.mjs").Step} Step */
/** @typedef {import("./target.mjs").Exchange} Exchange */
/** @typedef {import("./target.mjs").Response} Response */

/**
 * What one step got from both.
 * @typedef {object} Compared
 * @property {string} title
 * @property {Exchange} service
 * @property {Exchange} mock
 * @property {boolean} isAccepted by the service
 * @property {"lenient" | "strict" | "same"} mockIs `lenient`: it accepted what the service rejected, a false accept
 * @property {boolean} sameStatus
 * @property {boolean} sameShape the same status, media type, fields and types
 * @property {boolean} sameBody and the same values
 * @property {boolean} sameHeaders
 */

/**
 * @param {readonly Step[]} steps
 * @param {string} serviceUrl
 * @param {string} mockUrl
 * @param {readonly { api_token: string }[]} teams
 */
export async function play(steps, serviceUrl, mockUrl, teams) {
  const service = makeTarget(serviceUrl, teams);
  const mock = makeTarget(mockUrl, teams);
  /** @type {Compared[]} */
  const all = [];
  for (const step of steps) {
    const [real, ours] = await Promise.all([service.send(step), mock.send(step)]);
    if (step.isSetUp !== true) all.push({ title: step.title, ...compare(real, ours) });
  }
  return all;
}

/**
 * @param {Exchange} service
 * @param {Exchange} mock
 * @returns {Omit<Compared, "title">}
 */
export function compare(service, mock) {
  const isAccepted = isSuccess(service.response);
  const sameStatus = service.response.status === mock.response.status;
  const sameShape = sameStatus && shapeOfResponse(service.response) === shapeOfResponse(mock.response);
  return {
    service,
    mock,
    isAccepted,
    mockIs: judge(isAccepted, isSuccess(mock.response)),
    sameStatus,
    sameShape,
    sameBody: sameShape && bodyOf(service) === bodyOf(mock),
    sameHeaders: headersOf(service) === headersOf(mock),
  };
}

/**
 * @param {boolean} serviceAccepts
 * @param {boolean} mockAccepts
 * @returns {Compared["mockIs"]}
 */
function judge(serviceAccepts, mockAccepts) {
  if (serviceAccepts === mockAccepts) return "same";
  return mockAccepts ? "lenient" : "strict";
}

/** @param {Response} response */
function shapeOfResponse({ headers, text }) {
  const [mediaType = ""] = String(headers["content-type"] ?? "none").split(";");
  const json = parse(text);
  if (json !== undefined) return `${mediaType.trim()} ${shapeOf(json)}`;
  return `${mediaType.trim()} ${text === "" ? "nothing" : "text"}`;
}

/**
 * Fields and types. How many problems a list has is a matter of the values.
 * @param {unknown} value
 * @returns {string}
 */
function shapeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort()}]`;
  if (typeof value !== "object") return typeof value;
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${shapeOf(inner)}`);
  return `{${fields.sort()}}`;
}

/** @param {Exchange} exchange */
function bodyOf({ response, names }) {
  const json = parse(response.text);
  return json === undefined ? withNames(response.text, names) : canonical(json, names);
}

/**
 * JSON in which the order of fields does not matter.
 * @param {unknown} value
 * @param {Exchange["names"]} names
 * @returns {string}
 */
function canonical(value, names) {
  if (typeof value === "string") return JSON.stringify(withNames(value, names));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, names))}]`;
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(withNames(name, names))}:${canonical(inner, names)}`,
  );
  return `{${fields.sort()}}`;
}

/**
 * A text in which tokens have names, and UUIDs, dates and hosts are left out.
 * @param {string} text
 * @param {Exchange["names"]} names
 */
function withNames(text, names) {
  let named = text;
  // "a" would be replaced in every word, too.
  for (const [value, name] of names) if (value.length >= 8) named = named.replaceAll(value, name);
  return named
    .replace(/\b(127\.0\.0\.1|localhost):\d+/g, "<host>")
    .replace(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, "<uuid>")
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "<date>");
}

/** Headers of the connection, of caches and of the mock itself, and those that differ each time. */
const unread = new Set(
  `date host content-length content-type connection keep-alive transfer-encoding server via vary cache-control etag
  last-modified age strict-transport-security x-powered-by set-cookie x-content-type-options content-security-policy
  x-request-id request-id usergroup-mock-request usergroup-mock-situation usergroup-mock-assumed`.split(
    /\s+/,
  ),
);

/** @param {Exchange} exchange */
function headersOf({ response, names }) {
  const read = Object.entries(response.headers).filter(([name]) => !unread.has(name));
  return read
    .map(([name, value]) => `${name}: ${withNames(inOrder(name, String(value)), names)}`)
    .sort()
    .join("\n");
}

/**
 * The methods of Allow are a set: some servers send them in another order each time.
 * @param {string} name
 * @param {string} value
 */
function inOrder(name, value) {
  return name === "allow" ? value.split(/, */).sort().join(", ") : value;
}

/** @param {readonly Compared[]} all */
export function countOf(all) {
  const number = (/** @type {(one: Compared) => boolean} */ holds) => all.filter(holds).length;
  return {
    of: all.length,
    accepted: number(({ isAccepted }) => isAccepted),
    falseAccepts: number(({ mockIs }) => mockIs === "lenient"),
    falseRejects: number(({ mockIs }) => mockIs === "strict"),
    status: number(({ sameStatus }) => sameStatus),
    shape: number(({ sameShape }) => sameShape),
    body: number(({ sameBody }) => sameBody),
    headers: number(({ sameHeaders }) => sameHeaders),
  };
}

/**
 * Each difference, the worst first.
 * @param {readonly Compared[]} all
 */
export function describeDifferences(all) {
  const different = all.filter(
    ({ mockIs, sameBody, sameHeaders }) => mockIs !== "same" || !sameBody || !sameHeaders,
  );
  const described = different.map((one) => ({ kind: kindOf(one), one }));
  described.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  return described.map(({ kind, one: { title, service, mock } }) =>
    [
      `${kind}: ${title}`,
      `  ${service.request.method} ${service.request.path} ${shorten(service.request.body)}`,
      `  service ${show(service.response)}`,
      `  mock    ${show(mock.response)}`,
    ].join("\n"),
  );
}

const kinds = ["FALSE ACCEPT", "FALSE REJECT", "status", "shape", "body", "headers"];

/** @param {Compared} compared */
function kindOf({ mockIs, sameStatus, sameShape, sameBody }) {
  if (mockIs === "lenient") return "FALSE ACCEPT";
  if (mockIs === "strict") return "FALSE REJECT";
  if (!sameStatus) return "status";
  if (!sameShape) return "shape";
  return sameBody ? "headers" : "body";
}

/** @param {string} text */
const shorten = (text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

/** @param {Response} response */
function show({ status, headers, text }) {
  const read = Object.entries(headers).filter(([name]) => !unread.has(name));
  const more = read.map(([name, value]) => ` ${name}: ${value};`).join("");
  return `${status} ${headers["content-type"] ?? "no content type"};${more} ${shorten(text.trimEnd())}`;
}
