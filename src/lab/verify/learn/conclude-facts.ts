import { operationOf, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { typeName } from "../../../foundation/json-shape.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import { needsSample } from "../ask/contents.js";
import type { FirstGroup, LaterResponses } from "../ask/first-group.js";
import { wrongApiTokenProbes } from "../ask/probes.js";
import { NotDeterminable, need } from "../service/not-determinable.js";
import { jsonText, type ReceivedResponse, type Recorded } from "../service/recorded.js";
import type { Answer } from "../service/service-client.js";
import { type FactId, facts } from "./facts.js";
import type { Answers } from "./learn-accepts.js";

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

/** What facts are read from. */
interface SeenResponses {
  readonly first: FirstGroup;
  readonly answers: Answers;
  readonly entries: readonly Recorded[];
}

/** Returns what is wrong with a fact, if anything is. Throws if that is not determinable. */
type ReadFact = (seen: SeenResponses) => string | undefined;

const readFact: Readonly<Record<FactId, ReadFact>> = {
  created: ({ first }) => wrongType(first.created.fields, shippedSchemas["get-or-create.response.json"]),
  rotated: (seen) => wrongType(later(seen).rotated.fields, shippedSchemas["rotate.response.json"]),
  flag: (seen) => {
    const { first } = seen;
    return (
      mismatch(first.created.fields, { new_user_group: true }) ??
      mismatch(later(seen).found.fields, { new_user_group: false })
    );
  },
  group: ({ first }) => wrongType(first.created.group, shippedSchemas["user-group.json"]),
  sent: ({ first: { body, created } }) =>
    mismatch(created.group, { name: body.name, provided_id: body.user_group_id }),
  rotatedGroup: (seen) => {
    const { shown } = later(seen).rotated;
    return mismatch(shown, { ...seen.first.created.shown, token: shown.token });
  },
  rotatedToken: (seen) => {
    const { rotated, after, isTokenStable } = later(seen);
    need(isTokenStable, "looking up a group changes its token");
    const isSame = rotated.group.token !== undefined && rotated.group.token === after.group.token;
    return isSame ? undefined : "rotate and the next look-up did not return the same token";
  },
  mapping: ({ first: { body } }) => {
    need(body.mapping !== undefined && body.properties !== undefined, needsSample);
    return undefined;
  },
  authorization: ({ answers }) => answered<string | undefined>(answers.get("no API token")),
  failure: ({ entries }) => {
    const seen = rejections(entries);
    need(seen.length > 0, "no request was rejected");
    const wrong = seen.find(({ fields }) => fields.success !== 0);
    return wrong && `success was ${jsonText(wrong.fields.success)} with status ${wrong.status}`;
  },
};

export function concludeFacts(seen: SeenResponses): FactFinding[] {
  return Object.entries(facts).map(([id, fact]) => concludeFact(id as FactId, fact, seen));
}

function concludeFact(id: FactId, fact: string, seen: SeenResponses): FactFinding {
  try {
    const detail = readFact[id](seen);
    return detail === undefined ? { id, fact, verdict: "holds" } : { id, fact, verdict: "broken", detail };
  } catch (error) {
    if (!(error instanceof NotDeterminable)) throw error;
    const isUnanswered = error instanceof Unanswered;
    return {
      id,
      fact,
      verdict: "not determinable",
      why: error.message,
      ...(isUnanswered && { unanswered: true }),
    };
  }
}

/** A question got no usable response, although it was repeated. */
export class Unanswered extends NotDeterminable {}

/** The value of an answer. Throws why there is none. */
export function answered<Value>(answer: Answer<unknown> | undefined): Value {
  if (answer === undefined) throw new NotDeterminable("this was not asked");
  if (answer.why === undefined) return answer.value as Value;
  throw answer.unanswered ? new Unanswered(answer.why) : new NotDeterminable(answer.why);
}

export function later({ first }: Pick<SeenResponses, "first">): LaterResponses {
  return answered<LaterResponses>(first.later);
}

/**
 * The rejections by the operations of the service, to a valid API token. A proxy or a router may reject other paths and
 * methods, and another layer of the service wrong API tokens.
 */
export function rejections(entries: readonly Recorded[]): ReceivedResponse[] {
  return entries
    .filter(({ probe, request, response }) => {
      const isOperation = request.path === servicePath && operationOf(request.method) !== undefined;
      return isOperation && !response.isSuccess && !(probe in wrongApiTokenProbes);
    })
    .map(({ response }) => response);
}

type FieldSchemas = Readonly<Record<string, { readonly type?: string; readonly const?: number }>>;

function wrongType(
  found: JsonObject,
  { properties }: { readonly properties: FieldSchemas },
): string | undefined {
  for (const [name, { type, const: only }] of Object.entries(properties)) {
    const value = found[name];
    if (!hasType(value, type, only)) return `${name} was ${jsonText(value)}`;
  }
  return undefined;
}

function hasType(value: unknown, type: string | undefined, only: number | undefined): boolean {
  if (type === undefined) return value === only;
  return type === "integer" ? Number.isInteger(value) : typeName(value) === type;
}

function mismatch(found: JsonObject, expected: JsonObject): string | undefined {
  const wrong = Object.keys(expected).find((name) => found[name] !== expected[name]);
  return wrong && `${wrong} was ${jsonText(found[wrong])} instead of ${jsonText(expected[wrong])}`;
}
