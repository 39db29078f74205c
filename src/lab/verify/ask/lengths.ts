import { randomInt } from "node:crypto";
import type { GroupClient } from "../service/group-client.js";
import { NotDeterminable, need } from "../service/not-determinable.js";
import { type ObjectField, usualContents } from "./contents.js";
import { type FoundLength, findLength, findLimit, type TryLength } from "./find-length.js";
import { isNameTaken } from "./name-taken.js";

function padded(text: string, length: number): string {
  return text.padEnd(length, "x");
}

/** `padded` never shortens. This leaves room for a space, and for more digits in the number of a later name. */
const padding = 4;

/** Each attempt that succeeds creates a group. */
export function askIdLength(client: GroupClient): Promise<FoundLength> {
  const newId = (length: number) => padded(`${client.groups.newId()}-`, length);
  const tryLength: TryLength = (length) => client.create({ user_group_id: newId(length) });
  return findLength(tryLength, client.groups.newId().length);
}

export async function askNameLength(client: GroupClient): Promise<FoundLength> {
  const newName = (length: number) => padded(`${client.groups.newName()} `, length);
  const usual = client.groups.newName().length + padding;
  const rename: TryLength = (length) => client.lookUp({ name: newName(length) });
  const create: TryLength = (length) => client.create({ name: newName(length) });
  // A group that exists gets another name, so that no group is created. Not every service allows that.
  const control = await rename(usual);
  if (!control.isSuccess) return findLength(create, usual);
  const found = await findLength(rename, usual);
  // A service that accepts every name of a group that exists may ignore it, and check that of a new one.
  return found.rejected === undefined ? findLength(create, usual) : found;
}

export async function askFilenameLength(client: GroupClient): Promise<FoundLength> {
  const usual = "verify.mp4";
  const named = await client.rotateOwn({ filename: usual });
  // The document does not say what the field means. A service that does not know it may reject it, whatever its length.
  if (!named.isSuccess) return { accepted: 0, rejected: 1 };
  return findLength((length) => client.rotateOwn({ filename: padded("verify.mp4-", length) }), usual.length);
}

/** The longest minimum that is looked for. */
const longestMinimum = 8;

/** How short a name may be that is not empty. A name that another group has is not too short. */
export async function askShortestName(client: GroupClient): Promise<number> {
  for (let length = 1; length <= longestMinimum; length++) {
    const response = await client.create({ name: randomWord(length) });
    if (response.isSuccess || isNameTaken(client.takenName, response)) return length;
  }
  throw new NotDeterminable(`names of up to ${longestMinimum} characters were rejected`);
}

/** A short name cannot have the prefix of the run, so it is random: names may have to be unique. */
function randomWord(length: number): string {
  return Array.from({ length }, () => String.fromCharCode(97 + randomInt(26))).join("");
}

/** The most keys that are sent. */
const mostKeys = 120;

export async function askKeyCount(client: GroupClient, field: ObjectField): Promise<FoundLength> {
  const { value } = usualContents(client, field);
  const tryCount: TryLength = (count) => {
    const entries = keysOf[field](count).map((key) => [key, value]);
    return client.create({ [field]: Object.fromEntries(entries) });
  };
  const first = await tryCount(mostKeys);
  if (first.isSuccess) return { accepted: mostKeys, rejected: undefined };
  // Other keys may be rejected for what they are.
  need((await tryCount(2)).isSuccess, "two other keys were rejected as well");
  return findLimit(tryCount, { accepted: 2, rejected: mostKeys, message: first.text });
}

/** Schema ids are numbers in the document. */
const keysOf: Readonly<Record<ObjectField, (count: number) => string[]>> = {
  mapping: (count) => Array.from({ length: count }, (_, n) => String(41 + n)),
  properties: (count) => Array.from({ length: count }, (_, n) => `verify${n}`),
};

/** Whether a schema id may be a word. */
export async function askWordAsKey(client: GroupClient): Promise<boolean> {
  const { key, value } = usualContents(client, "mapping");
  need(/^\d+$/.test(key), "the sample has other schema ids than numbers");
  if ((await client.create({ mapping: { verify: value } })).isSuccess) return true;
  need((await client.create({ mapping: { "41": value } })).isSuccess, "another number was rejected as well");
  return false;
}
