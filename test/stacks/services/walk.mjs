// A random walk of ordinary clients with ordinary mistakes: about four fifths are what a correct program sends.
import { drawing, getOrCreate, post, rotate, send, unknownLike } from "./steps.mjs";

/** @typedef {import("./steps.mjs").Step} Step */
/** @typedef {import("./steps.mjs").Options} Options */
/** @typedef {{ id: string, team: 1 | 2, name: string, mapping: object, properties: object, rotations: number }} Group */
/** @typedef {Readonly<Record<string, (group: Group) => Step>>} Choices */

/** @type {readonly [string, ...string[]]} */
const words = [
  "amber",
  "birch",
  "cedar",
  "delta",
  "ember",
  "fjord",
  "grove",
  "heron",
  "iris",
  "juno",
  "kite",
];

const anonymous = { headers: { Authorization: undefined } };
const withApiToken = (/** @type {string} */ value) => ({ headers: { Authorization: value } });
const withAccept = (/** @type {string | undefined} */ value) => ({ headers: { Accept: value } });

/**
 * @param {string} seed
 * @param {number} length
 */
export function walk(seed, length = 300) {
  const { random, below, pick } = drawing(seed);
  /** @type {Group[]} */
  const known = [];
  let count = 0;

  const word = () => pick(words);
  const capitalized = () => word().replace(/^./, (letter) => letter.toUpperCase());

  function newId() {
    count += 1;
    const simple = [`${word()}${count}`, `${word()}-${count}`, `${word()}_${count}`, `${1000 + count}`];
    const structured = [
      `${word()}.${count}`,
      `crm:${count}`,
      `${word()}@example.com`,
      `eu/${word()}/${count}`,
    ];
    return String((random() < 0.92 ? simple : structured)[below(4)]);
  }

  function newName() {
    count += 1;
    const simple = [`${capitalized()} ${count}`, `${capitalized()}${count}`, `${capitalized()} ${word()}`];
    const signs = [`${capitalized()} & ${capitalized()}`, `${capitalized()} (${word()})`, `Söhne ${count}`];
    return String((random() < 0.92 ? simple : signs)[below(3)]);
  }

  function newMapping() {
    return Object.fromEntries(Array.from({ length: 1 + below(3) }, () => [String(10 + below(30)), word()]));
  }

  function newProperties() {
    const value = () => [word(), below(100), random() < 0.5, null, [word()], { tier: word() }][below(6)];
    return Object.fromEntries(Array.from({ length: 1 + below(3) }, () => [word(), value()]));
  }

  /** @returns {Group} */
  function newGroup() {
    const team = random() < 0.2 ? 2 : 1;
    const data = { mapping: newMapping(), properties: newProperties() };
    return { id: newId(), team, name: newName(), ...data, rotations: 0 };
  }

  /** @returns {Record<string, unknown>} */
  function whole(/** @type {Group} */ { id, name, mapping, properties }) {
    return { user_group_id: id, name, mapping, properties };
  }

  function create() {
    const group = newGroup();
    const other = known[below(known.length)];
    // Another team often has the same ids.
    if (other !== undefined && other.team !== group.team && random() < 0.3) group.id = other.id;
    known.push(group);
    const body = whole(group);
    const isWhole = random() < 0.75;
    for (const field of ["mapping", "properties"]) if (!isWhole && random() < 0.4) delete body[field];
    return getOrCreate(`create with ${Object.keys(body)}`, body, { team: group.team });
  }

  /** A creation with all fields, changed in one way. */
  function createWith(/** @type {Record<string, unknown>} */ change, /** @type {Options} */ options = {}) {
    return getOrCreate("", { ...whole(newGroup()), ...change }, options);
  }

  /** A look-up with all fields, changed in one way. */
  function lookUp(/** @type {Group} */ group, change = {}, /** @type {Options} */ options = {}) {
    return getOrCreate("", { ...whole(group), ...change }, { team: group.team, ...options });
  }

  function lookUpAfter(/** @type {Group} */ group, /** @type {Partial<Group>} */ change) {
    Object.assign(group, change);
    return lookUp(group);
  }

  function rotateNow(/** @type {Group} */ group, body = {}) {
    group.rotations += 1;
    return rotate("", group.id, { team: group.team, body });
  }

  function rotateStale(/** @type {Group} */ group, /** @type {number} */ age) {
    const rotated = known.filter(({ rotations }) => rotations >= age);
    const { id, team } = rotated[below(rotated.length)] ?? group;
    return rotate("", id, { team, age });
  }

  /** @type {Readonly<Record<string, number>>} */
  const weights = {
    "look up by id alone": 16,
    "look up with everything": 16,
    rotate: 14,
    "rotate with the last token": 4,
  };

  /** @type {Choices} */
  const correct = {
    "look up by id alone": ({ id, team }) => getOrCreate("", { user_group_id: id }, { team }),
    "look up with everything": (group) => lookUp(group),
    "look up with id and name": ({ id, name, team }) =>
      getOrCreate("", { user_group_id: id, name }, { team }),
    "look up with another name": (group) => lookUpAfter(group, { name: newName() }),
    "look up with another mapping": (group) => lookUpAfter(group, { mapping: newMapping() }),
    "look up with other properties": (group) => lookUpAfter(group, { properties: newProperties() }),
    rotate: (group) => rotateNow(group),
    "rotate with filename": (group) => rotateNow(group, { filename: "a.mp4" }),
    "rotate with the last token": (group) => rotateStale(group, 1),
    "rotate with an older token": (group) => rotateStale(group, 2),
    "look up with Accept: application/json": (group) => lookUp(group, {}, withAccept("application/json")),
    "look up without Accept": (group) => lookUp(group, {}, withAccept(undefined)),
  };

  /** @type {Choices} */
  const mistakes = {
    "no id": () => createWith({ user_group_id: undefined }),
    "no name": () => createWith({ name: undefined }),
    "null as id": () => createWith({ user_group_id: null }),
    "empty id": () => createWith({ user_group_id: "" }),
    "number as id": () => createWith({ user_group_id: 5000 + below(900) }),
    "long id": () => createWith({ user_group_id: `${word()}${"x".repeat(below(250))}` }),
    "id with a space": () => createWith({ user_group_id: `${word()} ${word()}` }),
    "null as name": () => createWith({ name: null }),
    "empty name": () => createWith({ name: "" }),
    "blank name": () => createWith({ name: "   " }),
    "number as name": () => createWith({ name: below(900) }),
    "long name": () => createWith({ name: `${capitalized()}${"y".repeat(below(280))}` }),
    "name with a space after it": () => createWith({ name: `${newName()} ` }),
    "name of another group": ({ name }) => createWith({ name }),
    "null as mapping": () => createWith({ mapping: null }),
    "list as mapping": () => createWith({ mapping: [word()] }),
    "text as mapping": () => createWith({ mapping: word() }),
    "number in a mapping": () => createWith({ mapping: { 12: below(9) } }),
    "object in a mapping": () => createWith({ mapping: { 12: { id: word() } } }),
    "null as properties": () => createWith({ properties: null }),
    "list as properties": () => createWith({ properties: [1] }),
    "unknown field": () => createWith({ description: word() }),
    "number as name and no id": () => createWith({ user_group_id: undefined, name: 1 }),
    "empty object": () => getOrCreate("", {}),
    "null as name of a group that exists": (group) => lookUp(group, { name: null }),
    "empty name of a group that exists": (group) => lookUp(group, { name: "" }),
    "id in capitals": ({ id, team }) => getOrCreate("", { user_group_id: id.toUpperCase() }, { team }),
    "unknown token of the same form": ({ id, team }) => rotate("", id, { team, change: unknownLike }),
    "token that was cut off": ({ id, team }) =>
      rotate("", id, { team, change: (token) => token.slice(0, -3) }),
    "token of another form": () => post("", { current_token: `${word()}-token` }),
    "empty current_token": () => post("", { current_token: "" }),
    "null as current_token": () => post("", { current_token: null }),
    "number as current_token": () => post("", { current_token: below(99_999) }),
    "no current_token": () => post("", {}),
    "id instead of a token": ({ id, team }) => post("", { user_group_id: id }, { team }),
    "token of the other team": ({ id, team }) => rotate("", id, { team: team === 1 ? 2 : 1, owner: team }),
    "no API token": (group) => lookUp(group, {}, anonymous),
    "unknown API token": (group) => lookUp(group, {}, withApiToken(`Token ${word()}`)),
    Bearer: (group) => lookUp(group, {}, withApiToken(`Bearer ${word()}`)),
    "no API token in a rotation": ({ id, team }) => rotate("", id, { team, ...anonymous }),
    "invalid JSON": () => send("", undefined, { raw: `{"user_group_id": "${word()}"` }),
    "invalid JSON in a rotation": () => post("", {}, { raw: `{"current_token": ${word()}}` }),
    "empty body": () => send("", undefined, { raw: "" }),
    "list as body": () => send("", [whole(newGroup())]),
    "body without Content-Type": () => createWith({}, { headers: { "Content-Type": undefined } }),
    "rejected in a browser": () =>
      createWith({ name: 5 }, withAccept("text/html,application/xhtml+xml,*/*;q=0.8")),
    "rejected with Accept: application/json": () => createWith({ name: 5 }, withAccept("application/json")),
    PUT: (group) => lookUp(group, {}, { method: "PUT" }),
    DELETE: (group) => lookUp(group, {}, { method: "DELETE" }),
    "another path": (group) => lookUp(group, {}, { path: "/api/users" }),
    "trailing slash": (group) => lookUp(group, {}, { path: "/api/user/" }),
  };

  function choose(/** @type {Choices} */ choices, /** @type {Group} */ group) {
    const titles = Object.keys(choices).flatMap((title) => new Array(weights[title] ?? 2).fill(title));
    const title = String(titles[below(titles.length)]);
    return { .../** @type {Step} */ (choices[title]?.(group)), title };
  }

  return Array.from({ length }, () => {
    const group = known[below(known.length)];
    if (group === undefined || random() < 0.15) return create();
    return choose(random() < 0.22 ? mistakes : correct, group);
  });
}
