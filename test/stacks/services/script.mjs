// Forty requests in the order in which a program and the people who write it would send them. They follow from the
// interface alone: which of them a service accepts is for the service to say.
import { getOrCreate, mistake, rotate, unknownLike } from "./requests.mjs";

const acme = {
  user_group_id: "acme",
  name: "Acme Corporation",
  mapping: { 12: "warehouse-acme", 15: "308" },
  properties: { region: "EU", seats: 25 },
};

/** @type {Readonly<Record<string, unknown>>} */
const umbrella = {
  user_group_id: "customer:umbrella-7",
  name: 'Umbrella "West" & Söhne',
  properties: { plan: { tier: "gold", trial: false }, tags: ["a", "b"], discount: 0.15, parent: null },
};

const kind = "mistake";

/** @type {readonly import("./requests.mjs").Step[]} */
export const script = [
  getOrCreate("create with everything", acme),
  getOrCreate("look up by id alone", { user_group_id: "acme" }),
  getOrCreate("look up with everything", acme),
  getOrCreate("create with a name", { user_group_id: "globex", name: "Globex" }),
  getOrCreate("create with name and properties", umbrella),
  getOrCreate("create with name and mapping", {
    user_group_id: "1007",
    name: "Initech",
    mapping: { 12: "212" },
  }),
  getOrCreate("look up with id and name", { user_group_id: "globex", name: "Globex" }),
  mistake("create without a name", { user_group_id: "nameless" }),
  getOrCreate("look up with another name", { ...acme, name: "Acme Holding" }),
  getOrCreate("look up by id alone", { user_group_id: "acme" }),
  getOrCreate("look up with another mapping", { ...acme, mapping: { 15: "309", 18: "lake-acme" } }),
  rotate("rotate", "acme"),
  getOrCreate("look up by id alone", { user_group_id: "acme" }),
  rotate("rotate with filename", "acme", { body: { filename: "intro.mp4" } }),
  rotate("rotate with a stale token", "acme", { age: 1 }),
  rotate("rotate with a token two rotations old", "acme", { age: 2 }),
  rotate("rotate", "acme"),
  getOrCreate("create in the second team", { ...acme, name: "Acme of the others" }, { team: 2 }),
  getOrCreate("look up by id alone in the second team", { user_group_id: "acme" }, { team: 2 }),
  rotate("rotate in the second team", "acme", { team: 2 }),
  rotate("rotate a token of the other team", "acme", { kind, team: 2, owner: 1 }),
  getOrCreate("look up by id alone", { user_group_id: "acme" }),
  getOrCreate("create with empty objects", {
    user_group_id: "hooli",
    name: "Hooli",
    mapping: {},
    properties: {},
  }),
  getOrCreate("look up with other properties", { user_group_id: "hooli", properties: { region: "US" } }),
  getOrCreate("create with a name that another group has", { user_group_id: "globex-2", name: "Globex" }),
  rotate("rotate", "1007"),
  mistake("number as id", { user_group_id: 2040, name: "Two thousand and forty" }),
  mistake("no id", { name: "Somebody", mapping: { 12: "212" } }),
  mistake("null as name", { user_group_id: "stark", name: null }),
  mistake("empty name", { user_group_id: "wayne", name: "" }),
  mistake("name of 300 characters", { user_group_id: "tyrell", name: "Tyrell ".repeat(43).slice(0, 300) }),
  mistake("number in a mapping", { user_group_id: "cyberdyne", name: "Cyberdyne", mapping: { 12: 212 } }),
  mistake("list as mapping", { user_group_id: "soylent", name: "Soylent", mapping: ["212"] }),
  mistake("misspelt field", { user_group_id: "oscorp", name: "Oscorp", propertys: { region: "EU" } }),
  rotate("unknown token of the service's form", "acme", { kind, change: unknownLike }),
  mistake("no current_token", { token: "abc" }, { method: "POST" }),
  mistake("no API token", { user_group_id: "acme" }, { headers: { Authorization: undefined } }),
  mistake("unknown API token", { user_group_id: "acme" }, { headers: { Authorization: "Token nobody" } }),
  mistake("invalid JSON", undefined, { raw: '{"user_group_id": "acme", }' }),
  getOrCreate("look up with everything", { ...umbrella, name: "Umbrella" }),
];
