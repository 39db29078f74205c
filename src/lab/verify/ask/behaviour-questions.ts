import { randomBytes } from "node:crypto";
import type { AssumptionId, AssumptionValues } from "../../../fake/contract/assumptions.js";
import { fixedChoices } from "../../../fake/contract/fixed-choices.js";
import { operations, servicePath } from "../../../fake/contract/operations.js";
import type { GroupClient } from "../service/group-client.js";
import { need } from "../service/not-determinable.js";
import { expectSuccess, jsonText, type ReceivedResponse } from "../service/received-response.js";
import { unusedMethod } from "../service/unused-method.js";
import { askExistingGroup } from "./existing-group.js";
import { askOtherIds } from "./other-ids.js";

export type AskQuestion<Value = unknown> = (client: GroupClient) => Promise<Value>;

/** Questions by the id of an assumption, which return its value. */
export type AssumptionQuestions<Id extends AssumptionId> = {
  readonly [One in Id]: AskQuestion<AssumptionValues[One]>;
};

// Each request differs in one thing from one that succeeded: the first one, or one of the same question. A question makes
// its own groups, because it may be asked again.

/** What happens to groups, names, tokens and ids. What these questions return is the value of an assumption, or something from which it follows. */
export const behaviourQuestions = {
  "existing-group": askExistingGroup,
  "old-token": askOldToken,
  "name-on-create": askNameOnCreate,
  // Before the variations of a name: they need to know how a name that is taken is rejected.
  "unique-names": askUniqueNames,
  "id-matching": askOtherIds,
} satisfies Readonly<Record<string, AskQuestion>> & AssumptionQuestions<"old-token" | "unique-names">;

/** Questions about paths and headers. */
export const headQuestions: AssumptionQuestions<"trailing-slash" | "videos-path" | "content-type"> = {
  "trailing-slash": async (client) => accepted(await client.lookUp({}, { path: `${servicePath}/` })),
  "videos-path": async (client) =>
    (await client.rotateOwn({}, { path: "/videos" })).isSuccess ? "rotates" : "absent",
  "content-type": askContentTypes,
};

/** Requests of which only the response is of interest. */
export const responseQuestions = {
  "no mapping, no properties": (client) => client.create({ mapping: undefined, properties: undefined }),
  "current_token: missing": (client) => client.rotate(undefined),
  "current_token: null": (client) => client.rotate(null),
  "current_token: number": (client) => client.rotate(client.groups.newNumber()),
  "current_token: empty": (client) => client.rotate(""),
  "current_token: wrong": (client) => client.rotate("wrong"),
  "current_token: unknown": (client) => client.rotate(inventToken(client)),
  "no body": (client) => client.send(undefined),
  "no body, rotate": (client) => client.send(undefined, toRotate),
  "broken JSON": (client) => client.send('{"user_group_id": '),
  "no object": (client) => client.send(`[${JSON.stringify(client.newBody())}]`),
  "no object, rotate": (client) => client.send('[{"current_token":"wrong"}]', toRotate),
  [unusedMethod]: (client) => client.create({}, { method: unusedMethod }),
  "another path": (client) => client.lookUp({}, { path: `/api/${client.groups.newId()}` }),
} satisfies Readonly<Record<string, AskQuestion<ReceivedResponse>>>;

/** What the mock does in one way, whatever the profile says. Only a report shows what the service does. */
export const fixedQuestions = {
  "query string": (client) =>
    client.lookUp({}, { path: `${servicePath}?verify=1`, inexpressible: fixedChoices["query-string"] }),
  "equal keys": (client) => {
    const text = `{"user_group_id":"${client.groups.newId()}",${JSON.stringify(client.newBody()).slice(1)}`;
    return client.send(text, { inexpressible: fixedChoices["equal-keys"] });
  },
} satisfies Readonly<Record<string, AskQuestion<ReceivedResponse>>>;

const toRotate = { method: operations.rotate.method };

export function accepted({ isSuccess }: ReceivedResponse): "accepted" | "rejected" {
  return isSuccess ? "accepted" : "rejected";
}

/** Which old tokens still name their group: that of two rotations ago, and the one before the current one. */
async function askOldToken(client: GroupClient): Promise<AssumptionValues["old-token"]> {
  const { token: first } = expectSuccess(await client.create()).group;
  const { token: second } = expectSuccess(await client.rotate(first)).group;
  need(second !== first, "rotation keeps the token, so there is no old token");
  const { token: third } = expectSuccess(await client.rotate(second)).group;
  if ((await client.rotate(first)).isSuccess) return "accepted";
  if ((await client.rotate(second)).isSuccess) return "previous";
  expectSuccess(await client.rotate(third));
  return "rejected";
}

/** Whether a new group needs a name. */
export interface NameOnCreate {
  readonly isRequired: boolean;
  /** The name that the service gives to a group without one, if it is not the id. */
  readonly otherName?: string;
}

async function askNameOnCreate(client: GroupClient): Promise<NameOnCreate> {
  const body = client.newBody({ name: undefined });
  const { isSuccess, group } = await client.send(body);
  if (!isSuccess) return { isRequired: true };
  const { name } = group;
  need(typeof name === "string", `the name became ${jsonText(name)}, which no value expresses`);
  return { isRequired: false, ...(name !== body.user_group_id && { otherName: name }) };
}

async function askUniqueNames(client: GroupClient): Promise<AssumptionValues["unique-names"]> {
  const name = client.creation?.response.group.name;
  need(typeof name === "string", "this needs a group with a name");
  const response = await client.create({ name });
  if (response.isSuccess) return "allowed";
  client.takenName = { name, rejection: response };
  return "rejected";
}

/** What a client may send instead of application/json. Null: no header. */
const otherTypes = ["text/plain", "application/x-www-form-urlencoded", null];

async function askContentTypes(client: GroupClient): Promise<AssumptionValues["content-type"]> {
  const results = new Map<string | null, "accepted" | "rejected">();
  for (const contentType of otherTypes)
    results.set(contentType, accepted(await client.lookUp({}, { contentType })));
  const isAccepted = (contentType: string | null) => results.get(contentType) === "accepted";
  if (otherTypes.every(isAccepted)) return "accepted";
  if (!otherTypes.some(isAccepted)) return "rejected";
  const isOnlyWithoutHeader = otherTypes.every((type) => isAccepted(type) === (type === null));
  const all = [...results].map(([type, result]) => `${type ?? "no header"} is ${result}`);
  need(isOnlyWithoutHeader, all.join(", "));
  return "optional";
}

/** A token of the form that the service uses, with another end, so that only its value is wrong. */
function inventToken(client: GroupClient): string {
  const { token } = client.creation?.response.group ?? {};
  need(typeof token === "string", "the service has not returned a token");
  const end = randomBytes(token.length).toString("hex").slice(0, Math.min(12, token.length));
  const invented = token.slice(0, token.length - end.length) + end;
  client.inventedTokens.add(invented);
  return invented;
}
