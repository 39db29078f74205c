// Sends steps to one target, the service or the mock, and remembers which tokens it has given out.
import { request as httpRequest } from "node:http";

/** @typedef {import("./steps.mjs").Step} Step */
/** @typedef {{ status: number, headers: Readonly<Record<string, unknown>>, text: string }} Response */
/** @typedef {{ method: string, path: string, headers: Readonly<Record<string, string>>, body: string }} Request */

/**
 * @typedef {object} Exchange
 * @property {Request} request
 * @property {Response} response
 * @property {ReadonlyMap<string, string>} names of its tokens, which differ from target to target
 */

/**
 * @param {string} url
 * @param {readonly { api_token: string }[]} teams
 */
export function makeTarget(url, teams) {
  /** @type {Map<string, string[]>} */
  const tokens = new Map();
  /** @param {Step} step */
  function bodyOf({ body, raw, token }) {
    if (raw !== undefined) return raw;
    if (token === undefined) return JSON.stringify(body);
    // Where one of both targets has not given out this token, they differ, and the other one's response shows it.
    const found = tokens.get(token.group)?.at(-1 - token.age) ?? "a-token-that-was-not-given-out";
    return JSON.stringify({ .../** @type {object} */ (body), current_token: token.change(found) });
  }

  /**
   * Relative to the moment, so that one difference is not counted again in every later response about its group.
   * @param {string} requestBody
   */
  function namesNow(requestBody) {
    /** @type {Map<string, string>} */
    const names = new Map();
    for (const [group, list] of tokens) {
      for (const [index, token] of list.entries()) {
        const age = list.length - 1 - index;
        if (!names.has(token)) names.set(token, `<token of ${group}, ${age} rotations ago>`);
      }
    }
    const sent = Object(parse(requestBody)).current_token;
    if (typeof sent === "string" && !names.has(sent)) names.set(sent, "<the token that was sent>");
    return names;
  }

  return {
    /**
     * @param {Step} step
     * @returns {Promise<Exchange>}
     */
    async send(step) {
      const usual = {
        Accept: "*/*",
        Authorization: `Token ${teams[step.team - 1]?.api_token}`,
        "Content-Type": "application/json",
      };
      const all = Object.entries({ ...usual, ...step.headers });
      const sent = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      const { method, path } = step;
      const request = { method, path, headers: Object.fromEntries(sent), body: bodyOf(step) };
      const names = namesNow(request.body);
      const response = await exchange(url, request);
      const token = tokenOf(response);
      if (token !== undefined) {
        if (!names.has(token)) names.set(token, "<a new token>");
        const group = step.group ?? "a group without a name";
        const list = tokens.get(group) ?? [];
        if (list.at(-1) !== token) tokens.set(group, [...list, token]);
      }
      return { request, response, names };
    },
  };
}

/**
 * Succeeded is what says so itself, whatever its status.
 * @param {Response} response
 */
export function isSuccess({ text }) {
  return Object(parse(text)).success === 1;
}

/**
 * @param {Response} response
 * @returns {string | undefined}
 */
function tokenOf(response) {
  if (!isSuccess(response)) return undefined;
  const token = Object(Object(parse(response.text)).user_group).token;
  return typeof token === "string" ? token : undefined;
}

/** @param {string} text */
export function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A broken connection is a response with the status 0.
 * @param {string} url
 * @param {Request} request
 * @returns {Promise<Response>}
 */
function exchange(url, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const fail = (/** @type {Error} */ error) => resolve({ status: 0, headers: {}, text: error.message });
    const length = { "Content-Length": Buffer.byteLength(body) };
    const options = { method, headers: { ...headers, ...length }, agent: false, timeout: 20_000 };
    const sent = httpRequest(`${url}${path}`, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.once("error", fail);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.once("error", fail);
    sent.once("timeout", () => sent.destroy(new Error("No response within 20 s")));
    sent.end(body);
  });
}
