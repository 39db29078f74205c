// A random walk: 300 requests from a seed, about four fifths what a correct program sends.
import { getOrCreate, mistake, rotate, unknownLike } from "./requests.mjs";

/** @typedef {import("./requests.mjs").Step} Step */
/** @typedef {{ id: string, team: number, name: string, rotations: number }} Known */

const words =
  "amber birch cedar delta ember fjord grove heron iris juno kite lotus maple north onyx pearl".split(" ");

/**
 * Numbers from 0 to 1 (mulberry32).
 * @param {number} seed
 */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * @param {number} seed
 * @param {number} [length]
 * @returns {readonly Step[]}
 */
export function walk(seed, length = 300) {
  const random = generator(seed);
  /** @param {number} bound */
  const below = (bound) => Math.floor(random() * bound);
  /**
   * @template T
   * @param {readonly T[]} list
   */
  const pick = (list) => list[below(list.length)];
  const word = () => String(pick(words));
  const title = () => `${word()} ${word()}`.replace(/\b\w/g, (letter) => letter.toUpperCase());

  let count = 0;
  /** @type {Known[]} */
  const known = [];
  const newId = () => {
    count += 1;
    return String(
      pick([`${word()}-${count}`, `${count}000`, `crm/${word()}/${count}`, `${word()}.${count}@example`]),
    );
  };
  const newName = () => `${title()} ${count}`;
  const mapping = () =>
    Object.fromEntries(Array.from({ length: 1 + below(3) }, () => [String(10 + below(30)), word()]));
  const properties = () =>
    Object.fromEntries(
      Array.from({ length: 1 + below(3) }, () => [
        word(),
        pick([word(), below(100), random() < 0.5, null, [word()]]),
      ]),
    );
  const some = () => ({
    ...(random() < 0.6 && { mapping: mapping() }),
    ...(random() < 0.5 && { properties: properties() }),
  });

  const create = () => {
    const team = random() < 0.2 ? 2 : 1;
    const other = known[below(known.length)];
    // Another team often has the same ids.
    const isTaken = (/** @type {string} */ id) => known.some((one) => one.id === id && one.team === team);
    const id = other !== undefined && random() < 0.15 && !isTaken(other.id) ? other.id : newId();
    count += 1;
    const group = { id, team, name: newName(), rotations: 0 };
    known.push(group);
    return getOrCreate("create", { user_group_id: id, name: group.name, ...some() }, { team });
  };

  /**
   * @param {string} title
   * @param {number} age
   * @param {Known} group that is taken if none was rotated so often
   */
  const rotateWithOld = (title, age, group) => {
    const old = pick(known.filter(({ rotations }) => rotations >= age));
    if (old !== undefined) return rotate(title, old.id, { team: old.team, age });
    group.rotations += 1;
    return rotate("rotate", group.id, { team: group.team });
  };

  /** @type {readonly (readonly [number, (group: Known) => Step])[]} */
  const correct = [
    [14, ({ id, team }) => getOrCreate("look up by id alone", { user_group_id: id }, { team })],
    [
      14,
      ({ id, team, name }) =>
        getOrCreate("look up with everything", { user_group_id: id, name, ...some() }, { team }),
    ],
    [
      6,
      ({ id, team, name }) => getOrCreate("look up with id and name", { user_group_id: id, name }, { team }),
    ],
    [
      6,
      (group) => {
        group.name = newName();
        const { id, team, name } = group;
        return getOrCreate("look up with another name", { user_group_id: id, name }, { team });
      },
    ],
    [
      5,
      ({ id, team }) =>
        getOrCreate("look up with another mapping", { user_group_id: id, mapping: mapping() }, { team }),
    ],
    [
      4,
      ({ id, team }) =>
        getOrCreate(
          "look up with other properties",
          { user_group_id: id, properties: properties() },
          { team },
        ),
    ],
    [
      16,
      (group) => {
        group.rotations += 1;
        return rotate("rotate", group.id, { team: group.team });
      },
    ],
    [
      3,
      (group) => {
        group.rotations += 1;
        const body = { filename: `${word()}.mp4` };
        return rotate("rotate with filename", group.id, { team: group.team, body });
      },
    ],
    [
      2,
      ({ team, name }) =>
        getOrCreate("create with a name that another group has", { user_group_id: newId(), name }, { team }),
    ],
    [5, (group) => rotateWithOld("rotate with a stale token", 1, group)],
    [4, (group) => rotateWithOld("rotate with a token two rotations old", 2, group)],
  ];

  const kind = "mistake";
  const long = () =>
    `${title()} `
      .repeat(40)
      .slice(0, 50 + below(250))
      .trimEnd();
  /** @type {readonly (readonly [number, (group: Known) => Step])[]} */
  const mistakes = [
    [2, () => mistake("create without a name", { user_group_id: newId(), ...some() })],
    [2, () => mistake("no id", { name: newName() })],
    [1, () => mistake("null as id", { user_group_id: null, name: newName() })],
    [1, () => mistake("empty id", { user_group_id: "", name: newName() })],
    [2, () => mistake("number as id", { user_group_id: 100000 + below(900000), name: newName() })],
    [1, () => mistake("object as id", { user_group_id: { id: newId() }, name: newName() })],
    [2, ({ id, team }) => getOrCreate("id in capitals", { user_group_id: id.toUpperCase() }, { team, kind })],
    [2, ({ id, team }) => getOrCreate("id with a space", { user_group_id: `${id} ` }, { team, kind })],
    [1, () => mistake("long id", { user_group_id: `${newId()}-${"x".repeat(below(300))}`, name: newName() })],
    [1, () => mistake("create with null as name", { user_group_id: newId(), name: null })],
    [
      1,
      ({ id, team }) =>
        getOrCreate("look up with null as name", { user_group_id: id, name: null }, { team, kind }),
    ],
    [1, () => mistake("number as name", { user_group_id: newId(), name: below(1000) })],
    [1, () => mistake("empty name", { user_group_id: newId(), name: "" })],
    [1, () => mistake("blank name", { user_group_id: newId(), name: "  " })],
    [3, () => mistake("long name", { user_group_id: newId(), name: long() })],
    [2, () => mistake("null as mapping", { user_group_id: newId(), name: newName(), mapping: null })],
    [1, () => mistake("text as mapping", { user_group_id: newId(), name: newName(), mapping: word() })],
    [1, () => mistake("list as mapping", { user_group_id: newId(), name: newName(), mapping: [word()] })],
    [
      2,
      () =>
        mistake("number in a mapping", {
          user_group_id: newId(),
          name: newName(),
          mapping: { 12: below(9) },
        }),
    ],
    [
      1,
      () =>
        mistake("object in a mapping", {
          user_group_id: newId(),
          name: newName(),
          mapping: { 12: { a: "b" } },
        }),
    ],
    [1, () => mistake("null as properties", { user_group_id: newId(), name: newName(), properties: null })],
    [1, () => mistake("list as properties", { user_group_id: newId(), name: newName(), properties: [1] })],
    [2, () => mistake("unknown field", { user_group_id: newId(), name: newName(), description: word() })],
    [1, () => mistake("unknown field and no name", { user_group_id: newId(), [word()]: word() })],
    [
      2,
      ({ id, team }) =>
        rotate("unknown token of the service's form", id, { kind, team, change: unknownLike }),
    ],
    [
      1,
      ({ id, team }) =>
        rotate("token that was cut off", id, { kind, team, change: (one) => one.slice(0, -3) }),
    ],
    [1, () => mistake("token of another form", { current_token: "my-token" }, { method: "POST" })],
    [1, () => mistake("empty current_token", { current_token: "" }, { method: "POST" })],
    [1, () => mistake("null as current_token", { current_token: null }, { method: "POST" })],
    [1, () => mistake("number as current_token", { current_token: 12345 }, { method: "POST" })],
    [1, () => mistake("no current_token", {}, { method: "POST" })],
    [1, ({ id }) => mistake("id instead of a token", { user_group_id: id }, { method: "POST" })],
    [1, ({ id, team }) => rotate("number as filename", id, { kind, team, body: { filename: below(10) } })],
    [1, ({ id, team }) => rotate("unknown field in a rotation", id, { kind, team, body: { force: true } })],
    [
      2,
      ({ id, team }) =>
        rotate("rotate a token of the other team", id, { kind, team: team === 1 ? 2 : 1, owner: team }),
    ],
    [
      1,
      ({ id }) => mistake("no API token", { user_group_id: id }, { headers: { Authorization: undefined } }),
    ],
    [
      1,
      ({ id }) =>
        mistake("unknown API token", { user_group_id: id }, { headers: { Authorization: "Token x-1" } }),
    ],
    [1, ({ id }) => mistake("Bearer", { user_group_id: id }, { headers: { Authorization: "Bearer x-1" } })],
    [1, () => mistake("no API token in a rotation", { current_token: "a" }, unauthorized)],
    [1, () => mistake("invalid JSON", undefined, { raw: `{"user_group_id": "${word()}"` })],
    [1, () => mistake("empty body", undefined, { raw: "" })],
    [1, () => mistake("list as body", [{ user_group_id: newId() }])],
    [1, () => mistake("body without Content-Type", { user_group_id: newId(), name: newName() }, untyped)],
    [1, () => mistake("form", undefined, { raw: `user_group_id=${word()}&name=a`, headers: form })],
    [1, ({ id }) => mistake("PUT", { user_group_id: id, name: "A" }, { method: "PUT" })],
    [1, ({ id }) => mistake("another path", { user_group_id: id }, { path: "/api/users" })],
    [1, ({ id }) => mistake("trailing slash", { user_group_id: id, name: "A" }, { path: "/api/user/" })],
  ];

  /**
   * @param {readonly (readonly [number, (group: Known) => Step])[]} table
   * @param {Known} group
   */
  const choose = (table, group) => {
    let left = random() * table.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, make] of table) {
      left -= weight;
      if (left < 0) return make(group);
    }
    return create();
  };

  return Array.from({ length }, () => {
    const group = known[below(known.length)];
    if (group === undefined || random() < 0.16) return create();
    return choose(random() < 0.22 ? mistakes : correct, group);
  });
}

const unauthorized = { method: "POST", headers: { Authorization: undefined } };
const untyped = { headers: { "Content-Type": undefined } };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
