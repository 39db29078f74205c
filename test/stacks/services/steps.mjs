// What a script or a walk is made of. A step says what a program does; a token in it is one that the target, the service
// or the mock, has given out.

/** The teams of every service, and of the mock that is compared with it. */
export const teams = [
  { team_id: 3, api_token: "first-team-api-token" },
  { team_id: 8, api_token: "second-team-api-token" },
];

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {1 | 2} team whose API token is sent
 * @property {string} method
 * @property {string} path
 * @property {Readonly<Record<string, string | undefined>>} headers `undefined` leaves one of the usual ones out
 * @property {unknown} body
 * @property {string} [raw] the body as text, instead
 * @property {boolean} [isSetUp] it is sent for a later step, and not compared
 * @property {string} [group] a name for the group of which the response is
 * @property {{ group: string, age: number, change: (token: string) => unknown }} [token] the current_token in the body:
 *   that which this group had so many rotations ago
 */

/** @typedef {Partial<Omit<Step, "title" | "body" | "token">>} Options */

/**
 * @param {string} title
 * @param {unknown} body
 * @param {Options} [options]
 * @returns {Step}
 */
export function send(title, body, options = {}) {
  return { title, team: 1, method: "GET", path: "/api/user", headers: {}, ...options, body };
}

/**
 * @param {string} title
 * @param {Readonly<Record<string, unknown>>} body
 * @param {Options} [options]
 * @returns {Step}
 */
export function getOrCreate(title, body, options = {}) {
  return send(title, body, { group: groupOf(body.user_group_id, options.team), ...options });
}

/**
 * @param {string} title
 * @param {Readonly<Record<string, unknown>>} body
 * @param {Options} [options]
 */
export const post = (title, body, options = {}) => send(title, body, { method: "POST", ...options });

/**
 * Rotates the token of the group of this id.
 * @param {string} title
 * @param {string} id
 * @param {{ age?: number, owner?: 1 | 2, change?: (token: string) => unknown,
 *   body?: Readonly<Record<string, unknown>> } & Options} [options] `owner`: the team of the group, if it is another one
 * @returns {Step}
 */
export function rotate(title, id, { age = 0, owner, change = (one) => one, body = {}, ...options } = {}) {
  const group = groupOf(id, owner ?? options.team);
  return { ...post(title, body, { group, ...options }), token: { group, age, change } };
}

/**
 * The group of a team that has this id.
 * @param {unknown} id
 * @param {number} [team]
 */
const groupOf = (id, team = 1) => `${id} of team ${team}`;

/**
 * A token of the same form that no group has.
 * @param {string} token
 */
export function unknownLike(token) {
  const last = token.at(-1) === "1" ? "2" : "1";
  return `${token.slice(0, -1)}${last}`;
}

/**
 * Draws from a seed.
 * @param {string} seed
 */
export function drawing(seed) {
  let state = 0;
  for (const sign of seed) state = (Math.imul(state, 31) + Number(sign.codePointAt(0))) >>> 0;
  /** From 0 to 1 (mulberry32). */
  function random() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
  const below = (/** @type {number} */ bound) => Math.floor(random() * bound);
  /**
   * @template T
   * @param {readonly [T, ...T[]]} list
   * @returns {T}
   */
  const pick = (list) => list[below(list.length)] ?? list[0];
  return { random, below, pick };
}
