import type { JsonObject } from "../../../foundation/json.js";
import { typeName } from "../../../foundation/json-shape.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import { needsSample } from "../ask/contents.js";
import { NotDeterminable, need } from "../service/not-determinable.js";
import { jsonText } from "../service/received-response.js";
import { type FactId, facts } from "./facts.js";
import { answered, later, reasonOf, rejections, type SeenByRun } from "./seen-by-run.js";

/** A sentence of the document, and whether it holds. */
export interface FactFinding {
  readonly id: FactId;
  readonly fact: string;
  readonly verdict: "holds" | "broken" | "not determinable";
  /** What is wrong with it. */
  readonly detail?: string;
  readonly why?: string;
  readonly unanswered?: true;
}

/** Returns what is wrong with a fact, if anything is. Throws if that is not determinable. */
type ReadFact = (seen: SeenByRun) => string | undefined;

const readFact: Readonly<Record<FactId, ReadFact>> = {
  created: ({ first }) => wrongType(first.created.fields, shippedSchemas["get-or-create.response.json"]),
  rotated: (seen) => wrongType(later(seen).rotated.fields, shippedSchemas["rotate.response.json"]),
  flag: (seen) => {
    const { created } = seen.first;
    return (
      mismatch(created.fields, { new_user_group: true }) ??
      mismatch(later(seen).found.fields, { new_user_group: false })
    );
  },
  group: ({ first }) => wrongType(first.created.group, shippedSchemas["user-group.json"]),
  sent: ({ first: { body, created } }) =>
    mismatch(created.group, { name: body.name, provided_id: body.user_group_id }),
  rotatedGroup: (seen) => {
    const { documented } = later(seen).rotated;
    return mismatch(documented, { ...seen.first.created.documented, token: documented.token });
  },
  rotatedToken: (seen) => {
    const { rotated, after, isTokenStable } = later(seen);
    need(isTokenStable, "looking up a group changes its token");
    const isSame = rotated.group.token !== undefined && rotated.group.token === after.group.token;
    return isSame ? undefined : "rotate and the next look-up did not return the same token";
  },
  mapping: ({ first: { body } }) => {
    // The first group was created with this body. It lacks them if a body that had them was rejected.
    need(body.mapping !== undefined && body.properties !== undefined, needsSample);
    return undefined;
  },
  authorization: ({ answers }) => answered(answers.get("no API token")),
  failure: (seen) => {
    const rejected = rejections(seen);
    need(rejected.length > 0, "no request was rejected");
    const wrong = rejected.find(({ fields }) => fields.success !== 0);
    return wrong && `success was ${jsonText(wrong.fields.success)} with status ${wrong.status}`;
  },
};

export function concludeFacts(seen: SeenByRun): FactFinding[] {
  return Object.entries(facts).map(([id, fact]) => concludeFact(id as FactId, fact, seen));
}

function concludeFact(id: FactId, fact: string, seen: SeenByRun): FactFinding {
  try {
    const detail = readFact[id](seen);
    return detail === undefined ? { id, fact, verdict: "holds" } : { id, fact, verdict: "broken", detail };
  } catch (error) {
    if (!(error instanceof NotDeterminable)) throw error;
    return { id, fact, verdict: "not determinable", ...reasonOf(error) };
  }
}

type FieldSchemas = Readonly<Record<string, { readonly type?: string; readonly const?: number }>>;

function wrongType(
  found: JsonObject,
  { properties }: { readonly properties: FieldSchemas },
): string | undefined {
  for (const [name, { type, const: only }] of Object.entries(properties)) {
    const value = found[name];
    const isRight = type === undefined ? value === only : hasType(value, type);
    if (!isRight) return `${name} was ${jsonText(value)}`;
  }
  return undefined;
}

function hasType(value: unknown, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : typeName(value) === type;
}

function mismatch(found: JsonObject, expected: JsonObject): string | undefined {
  const wrong = Object.keys(expected).find((name) => found[name] !== expected[name]);
  return wrong && `${wrong} was ${jsonText(found[wrong])} instead of ${jsonText(expected[wrong])}`;
}
