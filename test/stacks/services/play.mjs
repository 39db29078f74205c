// Plays the same steps against a service and a mock, and compares their responses.
import { request as httpRequest } from "node:http";

/** @typedef {import("./requests.mjs").Step} Step */
/** @typedef {import("./requests.mjs").Request} Request */
/** @typedef {{ status: number, headers: Readonly<Record<string, unknown>>, text: string, json: unknown }} Response */

/**
 * What one request got from both.
 * @typedef {object} Played
 * @property {number} number
 * @property {Step["kind"]} kind
 * @property {string} title
 * @property {Request} request as the service got it
 * @property {Response} service
 * @property {Response} mock
 * @property {"lenient" | "strict" | "same"} mockIs `lenient`: it accepted what the service rejected, a false pass
 * @property {boolean} sameStatus
 * @property {boolean} sameShape fields and types, and the media type
 * @property {boolean} sameBody tokens and examples aside
 * @property {boolean} sameHeaders WWW-Authenticate, and Allow of a 405
 */

/**
 * @param {readonly Step[]} steps
 * @param {{ service: string, mock: string }} urls
 * @returns {Promise<Played[]>} without the steps that need a token which one of them has not given out: that is so after
 *   a difference that has been counted
 */
export async function play(steps, urls) {
  const service = target(urls.service);
  const mock = target(urls.mock);
  const played = [];
  for (const [index, step] of steps.entries()) {
    const { needs } = step;
    const isPossible = [service, mock].every(
      ({ tokensOf }) => needs === undefined || tokensOf(needs.group).length >= needs.tokens,
    );
    if (!isPossible) continue;
    const real = await service.send(step);
    const ours = await mock.send(step);
    played.push({ number: index + 1, kind: step.kind, title: step.title, ...compare(real, ours) });
  }
  return played;
}

/** @param {string} url */
function target(url) {
  /** @type {Map<string, string[]>} */
  const tokens = new Map();
  const tokensOf = (/** @type {string} */ group) => tokens.get(group) ?? [];

  /**
   * A token in words that are the same for every target.
   * @param {unknown} token
   */
  function describe(token) {
    if (typeof token !== "string") return token;
    const lists = [...tokens.values()];
    if (lists.some((list) => list.at(-1) === token)) return "<the latest token>";
    return lists.some((list) => list.includes(token)) ? "<an old token>" : "<a new token>";
  }

  return {
    tokensOf,
    /** @param {Step} step */
    async send(step) {
      const request = step.request(tokensOf);
      const response = await exchange(url, request);
      const token = isSuccess(response) ? response.json.user_group?.token : undefined;
      const described = describe(token);
      if (typeof token === "string") {
        const list = tokensOf(step.group ?? "");
        if (list.at(-1) !== token) tokens.set(step.group ?? "", [...list, token]);
      }
      return { request, response, token, described };
    },
  };
}

/**
 * @param {string} url
 * @param {Request} request
 * @returns {Promise<Response>}
 */
function exchange(url, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const options = { method, headers: { ...headers, ...length }, agent: false, timeout: 30_000 };
    const sent = httpRequest(`${url}${path}`, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part) => {
        text += part;
      });
      response.once("error", reject);
      response.once("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
      });
    });
    sent.once("error", reject);
    sent.once("timeout", () => sent.destroy(new Error(`No response to ${method} ${path}`)));
    sent.end(body);
  });
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {Response} response
 * @returns {response is Response & { json: { user_group?: { token?: unknown } } }}
 */
function isSuccess(response) {
  const { json } = response;
  return typeof json === "object" && json !== null && "success" in json && json.success === 1;
}

/**
 * @param {Awaited<ReturnType<ReturnType<typeof target>["send"]>>} service
 * @param {Awaited<ReturnType<ReturnType<typeof target>["send"]>>} mock
 */
function compare(service, mock) {
  const isAccepted = isSuccess(service.response);
  /** @type {Played["mockIs"]} */
  const mockIs = isAccepted === isSuccess(mock.response) ? "same" : isAccepted ? "strict" : "lenient";
  return {
    request: service.request,
    service: service.response,
    mock: mock.response,
    mockIs,
    sameStatus: service.response.status === mock.response.status,
    sameShape: shapeOfResponse(service.response) === shapeOfResponse(mock.response),
    sameBody: withoutExamples(service) === withoutExamples(mock),
    sameHeaders: headersOf(service.response) === headersOf(mock.response),
  };
}

/**
 * `Allow` means something in a 405 only; some frameworks send it with every response.
 * @param {Response} response
 */
function headersOf({ status, headers }) {
  return JSON.stringify([headers["www-authenticate"], status === 405 && headers.allow]);
}

/** @param {Response} response */
function shapeOfResponse({ headers, text, json }) {
  const mediaType = String(headers["content-type"] ?? "")
    .split(";")[0]
    ?.trim();
  return `${mediaType} ${json === undefined ? (text === "" ? "nothing" : "text") : shapeOf(json)}`;
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function shapeOf(value) {
  if (value === null) return "null";
  // How many problems a list has is a matter of the body.
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort()}]`;
  if (typeof value !== "object") return typeof value;
  const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${shapeOf(inner)}`);
  return `{${fields.sort()}}`;
}

/** @param {Awaited<ReturnType<ReturnType<typeof target>["send"]>>} sent */
function withoutExamples({ request, response, token, described }) {
  const sentToken = String(Object(parse(request.body ?? "")).current_token ?? "");
  const plain = (/** @type {string} */ text) => {
    let rest = text;
    if (typeof token === "string") rest = rest.replaceAll(token, String(described));
    // "a" in every word would be replaced, too.
    if (sentToken.length > 8) rest = rest.replaceAll(sentToken, "<the token that was sent>");
    return rest
      .replace(/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, "<uuid>")
      .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/g, "<date>");
  };
  if (response.json === undefined) return plain(response.text);
  return canonical(response.json, plain);
}

/**
 * JSON in which the order of fields does not matter, and numbers that identify are left out.
 * @param {unknown} value
 * @param {(text: string) => string} plain
 * @param {string} [field]
 * @returns {string}
 */
function canonical(value, plain, field = "") {
  if (typeof value === "string") return JSON.stringify(plain(value));
  if (typeof value === "number" && (field === "id" || value > 1e9)) return '"<number>"';
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, plain))}]`;
  const fields = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(plain(name))}:${canonical(inner, plain, name)}`,
  );
  return `{${fields.sort()}}`;
}
