// What a script or a walk is made of. A step says what a program does; the tokens in it are those that the target, the
// service or the mock, has given out.

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path
 * @property {Readonly<Record<string, string>>} headers
 * @property {string | undefined} body
 */

/**
 * @typedef {object} Step
 * @property {"correct" | "mistake"} kind what a correct program sends, or an ordinary mistake
 * @property {string} title
 * @property {string} [group] the group of which the response is
 * @property {{ group: string, tokens: number }} [needs] so many tokens of a group: without them, the step is left out
 * @property {(tokensOf: (group: string) => readonly string[]) => Request} request the latest token is the last one
 */

/**
 * @typedef {object} Options
 * @property {number} [team] 1 or 2
 * @property {string} [title]
 * @property {"correct" | "mistake"} [kind]
 * @property {string} [method]
 * @property {string} [path]
 * @property {Readonly<Record<string, string | undefined>>} [headers] `undefined` leaves one out
 * @property {string} [raw] the body as text
 */

import { teams } from "./services.mjs";

/**
 * @param {Options} options
 * @param {unknown} body
 * @returns {Request}
 */
function build({ team = 1, method = "GET", path = "/api/user", headers = {}, raw }, body) {
  const all = {
    Accept: "*/*",
    Authorization: `Token ${teams[team - 1]?.api_token}`,
    "Content-Type": "application/json",
    ...headers,
  };
  const sent = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { method, path, headers: Object.fromEntries(sent), body: raw ?? JSON.stringify(body) };
}

/**
 * The group of a team that has this id.
 * @param {unknown} id
 * @param {number} [team]
 */
export const groupOf = (id, team = 1) => `team ${team}: ${id}`;

/**
 * @param {string} title
 * @param {Readonly<Record<string, unknown>>} body
 * @param {Options} [options]
 * @returns {Step}
 */
export function getOrCreate(title, body, options = {}) {
  const group = groupOf(body.user_group_id, options.team);
  return { kind: options.kind ?? "correct", title, group, request: () => build(options, body) };
}

/**
 * Rotates the token of the group of this id.
 * @param {string} title
 * @param {string} id
 * @param {{ age?: number, owner?: number, change?: (token: string) => unknown,
 *   body?: Readonly<Record<string, unknown>> } & Options} [options]
 *   `age`: how many rotations ago it was the token; `owner`: the team of the group, if it is not that of the request
 * @returns {Step}
 */
export function rotate(title, id, { age = 0, owner, change = (token) => token, body, ...options } = {}) {
  const group = groupOf(id, owner ?? options.team);
  return {
    kind: options.kind ?? "correct",
    title,
    group,
    needs: { group, tokens: age + 1 },
    request: (tokensOf) => {
      const token = String(tokensOf(group).at(-1 - age));
      return build({ method: "POST", ...options }, { current_token: change(token), ...body });
    },
  };
}

/**
 * @param {string} title
 * @param {unknown} body
 * @param {Options} [options]
 * @returns {Step}
 */
export function mistake(title, body, options = {}) {
  return { kind: "mistake", title, request: () => build(options, body) };
}

/**
 * A token of the same form that nobody has.
 * @param {string} token
 */
export function unknownLike(token) {
  const last = token.at(-1) === "1" ? "2" : "1";
  return `${token.slice(0, -1)}${last}`;
}
