import type { GroupClient } from "../service/group-client.js";

/** Characters that ids of other systems have, as in a pattern, with an end of an id that has some of them. */
const idEndings = {
  "/": "/a",
  "\\.": ".a",
  "@": "@a",
  ":": ":a",
  _: "_a",
  " ": " a",
  "\\u0080-\\u{10ffff}": "é",
} as const;

export type IdCharacter = keyof typeof idEndings;

/** An id of the form that verify uses, with such a character. */
export function exampleId(character: IdCharacter): string {
  return `ugm-a1${idEndings[character]}`;
}

/** What an id may contain. One request has all characters; only if it is rejected, each is asked by itself. */
export async function askIdCharacters(
  client: GroupClient,
): Promise<{ accepted: IdCharacter[]; rejected: IdCharacter[] }> {
  const characters = Object.keys(idEndings) as IdCharacter[];
  const isAccepted = async (ending: string, hasSeveralMistakes = false) => {
    const user_group_id = `${client.groups.newId()}${ending}`;
    return (await client.create({ user_group_id }, { hasSeveralMistakes })).isSuccess;
  };
  if (await isAccepted(Object.values(idEndings).join(""), true))
    return { accepted: characters, rejected: [] };
  const accepted: IdCharacter[] = [];
  for (const one of characters) if (await isAccepted(idEndings[one])) accepted.push(one);
  return { accepted, rejected: characters.filter((one) => !accepted.includes(one)) };
}
