import type { GroupClient } from "../service/group-client.js";

/** Characters that ids of other systems have, as in a pattern, with an end of an id that has some of them. */
const idEndings = {
  "/": "/a",
  "\\.": ".a",
  "@": "@a",
  ":": ":a",
  _: "_a",
  "\\u0080-\\u{10ffff}": "é",
  " ": " a",
} as const;

export type IdCharacter = keyof typeof idEndings;

/** An id of the form that verify uses, with such a character. */
export function exampleId(character: IdCharacter): string {
  return `ugm-a1${idEndings[character]}`;
}

export interface IdCharacters {
  readonly accepted: readonly IdCharacter[];
  readonly rejected: readonly IdCharacter[];
}

/**
 * What an id may contain. One request has all these characters but the space; only if it is rejected, each is asked by
 * itself. The space always is, so that a rule about white space alone takes two requests.
 */
export async function askIdCharacters(client: GroupClient): Promise<IdCharacters> {
  const characters = Object.keys(idEndings) as IdCharacter[];
  const isAccepted = async (ending: string, hasSeveralMistakes = false) => {
    const user_group_id = `${client.groups.newId()}${ending}`;
    return (await client.create({ user_group_id }, { hasSeveralMistakes })).isSuccess;
  };
  const visible = characters.filter((one) => one !== " ");
  const areAccepted = await isAccepted(visible.map((one) => idEndings[one]).join(""), true);
  const accepted: IdCharacter[] = areAccepted ? [...visible] : [];
  for (const one of characters)
    if (!accepted.includes(one) && (await isAccepted(idEndings[one]))) accepted.push(one);
  return { accepted, rejected: characters.filter((one) => !accepted.includes(one)) };
}
