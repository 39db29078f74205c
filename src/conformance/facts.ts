import { type Answer, type Asker, groupOf, isObject, succeeded } from "./ask.js";

/** A statement of the service's document, and calls that check it. */
export interface Fact {
  readonly fact: string;
  /** Returns what is wrong, or undefined if the fact holds. */
  readonly check: (ask: Asker) => Promise<string | undefined>;
}

export const facts: readonly Fact[] = [
  {
    fact: "get-or-create answers success 1, new_user_group and user_group, and nothing else",
    check: async (ask) => {
      const created = await create(ask);
      return wrongEnvelope(created, ["success", "new_user_group", "user_group"]);
    },
  },
  {
    fact: "get-or-create takes mapping and properties",
    check: async (ask) => {
      const mapped = await create(ask, { mapping: { "40": "213" }, properties: { filterValue: "value" } });
      return succeeded(mapped) ? undefined : `it failed with ${mapped.status}`;
    },
  },
  {
    fact: "new_user_group is true when the call created the group, and false when it existed",
    check: async (ask) => {
      const body = { user_group_id: ask.newId(), name: "Verify" };
      const first = (await ask.getOrCreate(body)).json?.new_user_group;
      const second = (await ask.getOrCreate(body)).json?.new_user_group;
      return first === true && second === false ? undefined : `it was ${show(first)}, then ${show(second)}`;
    },
  },
  {
    fact: "user_group has an integer team_id and the texts token, name, provided_id, and no other field",
    check: async (ask) => wrongGroup(groupOf(await create(ask))),
  },
  {
    fact: "provided_id is the user_group_id that was sent, and name the name",
    check: async (ask) => {
      const id = ask.newId();
      const { provided_id, name } = groupOf(await ask.getOrCreate({ user_group_id: id, name: "Verify" }));
      if (provided_id !== id) return `provided_id was ${show(provided_id)} for ${show(id)}`;
      return name === "Verify" ? undefined : `name was ${show(name)} for "Verify"`;
    },
  },
  {
    fact: "looking a group up keeps its token",
    check: async (ask) => {
      const body = { user_group_id: ask.newId(), name: "Verify" };
      const first = groupOf(await ask.getOrCreate(body)).token;
      const second = groupOf(await ask.getOrCreate(body)).token;
      if (first === undefined) return "the token was missing";
      return first === second ? undefined : "the second call returned another token";
    },
  },
  {
    fact: "rotate answers success 1 and user_group, and nothing else",
    check: async (ask) => {
      const rotated = await ask.rotate(groupOf(await create(ask)).token);
      return wrongEnvelope(rotated, ["success", "user_group"]);
    },
  },
  {
    fact: "rotate answers the group whose token was sent, in the same shape",
    check: async (ask) => {
      const before = groupOf(await create(ask));
      const after = groupOf(await ask.rotate(before.token));
      for (const field of ["team_id", "name", "provided_id"]) {
        if (before[field] !== after[field])
          return `${field} was ${show(before[field])}, then ${show(after[field])}`;
      }
      return wrongGroup(after);
    },
  },
  {
    fact: "the token that rotate answers is the token of the group from then on",
    check: async (ask) => {
      const body = { user_group_id: ask.newId(), name: "Verify" };
      const { token } = groupOf(await ask.getOrCreate(body));
      if (token === undefined) return "the token was missing before the rotation";
      const rotated = groupOf(await ask.rotate(token)).token;
      const found = groupOf(await ask.getOrCreate(body)).token;
      return rotated === found ? undefined : "looking the group up returned another token";
    },
  },
  {
    fact: "a failed call carries success 0",
    check: async (ask) => {
      const { status, json } = await ask.rotate(unknownToken);
      return json?.success === 0 ? undefined : `success was ${show(json?.success)}, with status ${status}`;
    },
  },
  {
    fact: "both operations need the Authorization header",
    check: async (ask) => {
      const { token } = groupOf(await create(ask));
      const created = await ask.getOrCreate(
        { user_group_id: ask.newId(), name: "Verify" },
        { authorization: null },
      );
      if (succeeded(created)) return "get-or-create succeeded without it";
      return succeeded(await ask.rotate(token, { authorization: null }))
        ? "rotate succeeded without it"
        : undefined;
    },
  },
];

/** A token that no service has issued. */
export const unknownToken = "0".repeat(64);

function create(ask: Asker, fields: object = {}): Promise<Answer> {
  return ask.getOrCreate({ user_group_id: ask.newId(), name: "Verify", ...fields });
}

function wrongEnvelope({ status, json }: Answer, fields: readonly string[]): string | undefined {
  if (json === undefined) return `the answer, with status ${status}, is not a JSON object`;
  if (json.success !== 1) return `success was ${show(json.success)}, with status ${status}`;
  if (fields.includes("new_user_group") && typeof json.new_user_group !== "boolean") {
    return `new_user_group was ${show(json.new_user_group)}`;
  }
  if (!isObject(json.user_group)) return `user_group was ${show(json.user_group)}`;
  return unexpectedFields(json, fields);
}

function wrongGroup(group: Readonly<Record<string, unknown>>): string | undefined {
  if (!Number.isInteger(group.team_id)) return `team_id was ${show(group.team_id)}`;
  for (const field of ["token", "name", "provided_id"]) {
    if (typeof group[field] !== "string") return `${field} was ${show(group[field])}`;
  }
  return unexpectedFields(group, ["team_id", "token", "name", "provided_id"]);
}

function unexpectedFields(object: object, fields: readonly string[]): string | undefined {
  const found = Object.keys(object).filter((field) => !fields.includes(field));
  return found.length === 0 ? undefined : `unexpected field: ${found.join(", ")}`;
}

function show(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
