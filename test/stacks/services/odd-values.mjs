// Values that few programs send, one in each request: of ids, names, mappings and properties in creations of new groups,
// of names in look-ups of groups that exist, of tokens in rotations.
import { getOrCreate, post, rotate } from "./steps.mjs";

/** @typedef {import("./steps.mjs").Step} Step */

const signs = [..."!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ "];
const lengths = [1, 2, 3, 8, 20, 21, 32, 33, 50, 64, 65, 100, 121, 200, 256, 1000];
const otherKinds = [null, 0, 7, -1.5, true, false, [], ["a"], {}, { a: "b" }];
const otherTexts = ["é", "名前", "😀", "e\u0301", "\u00a0", "\u200b", "\t", "\n"];
const lookAlikes = ["null", "__proto__", "<b>x</b>", "%20", "..", "007"];

/** A text of so many letters and digits that no other request sends. */
const ofLength = (/** @type {number} */ length, /** @type {number} */ number) =>
  length < 4 ? "xyz".slice(-length) : `q${number}`.padEnd(length, "k").slice(0, length);

/** @returns {Step[]} */
export function oddValues() {
  let number = 100;
  const groupWith = (/** @type {Record<string, unknown>} */ change) => {
    number += 1;
    const plain = { user_group_id: `odd${number}`, name: `Odd${number}` };
    return { ...plain, mapping: { 40: "213" }, properties: { region: "EU" }, ...change };
  };
  const created = (/** @type {string} */ field, /** @type {unknown} */ value) =>
    getOrCreate(`${field} of a new group`, groupWith({ [field]: value }));

  const withSign = (/** @type {string} */ field) =>
    signs.map((sign) => created(field, `od${sign}${field === "name" ? "n" : "i"}${number}`));
  const withLength = (/** @type {string} */ field) =>
    lengths.map((length) => created(field, ofLength(length, number)));
  const withText = (/** @type {string} */ field) => [
    ...otherTexts.map((text) => created(field, `od${text}x${number}`)),
    ...["", " ", "   ", ` odd${number}`, `odd${number} `, `Odd${number}X`].map((text) =>
      created(field, text),
    ),
    ...otherKinds.map((value) => created(field, value)),
  ];
  const mappings = [
    null,
    7,
    [],
    ["a"],
    {},
    "text",
    { 40: 213 },
    { 40: null },
    { 40: "" },
    { 40: true },
    { 40: ["a"] },
  ];
  const moreMappings = [
    { "": "213" },
    { abc: "213" },
    { "a b": "213" },
    { 40: "é" },
    { 40: "v".repeat(300) },
  ];
  const nested = { a: { b: [1, null, { c: true }] }, "a b": "x", "": 0 };

  const existing = ["", "   ", null, 7, "x", "N".repeat(300), "Odd;name"].flatMap((name) => {
    const group = groupWith({});
    return [
      getOrCreate("create for a look-up", group, { isSetUp: true }),
      getOrCreate("name of a group that exists", { ...group, name }),
    ];
  });

  const tokens = [
    ...otherKinds,
    "",
    " ",
    "x",
    "a".repeat(64),
    "f".repeat(32),
    "é",
    "123e4567-e89b-12d3-a456-426614174000",
  ].map((token) => post("current_token", { current_token: token }));
  /** @type {readonly ((token: string) => unknown)[]} */
  const changes = [
    (token) => ` ${token}`,
    (token) => `${token} `,
    (token) => `${token}a`,
    (token) => token.slice(1),
    (token) => [token],
    (token) => ({ token }),
    (token) => `Token ${token}`,
  ];
  const changed = changes.flatMap((change) => {
    const group = groupWith({});
    return [
      getOrCreate("create for a rotation", group, { isSetUp: true }),
      rotate("current_token that was changed", group.user_group_id, { change }),
    ];
  });

  return [
    getOrCreate("a plain group, as control", groupWith({})),
    ...withSign("user_group_id"),
    ...withLength("user_group_id"),
    ...withText("user_group_id"),
    ...lookAlikes.map((text) => created("user_group_id", text)),
    ...withSign("name"),
    ...withLength("name"),
    ...withText("name"),
    ...[...mappings, ...moreMappings].map((mapping) => created("mapping", mapping)),
    ...[null, 7, [], ["a"], {}, "text", nested].map((properties) => created("properties", properties)),
    ...existing,
    ...tokens,
    ...changed,
  ];
}
