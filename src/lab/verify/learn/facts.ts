import { shownSchemas } from "../../../fake/contract/group-fields.js";
import { operationOf, servicePath } from "../../../fake/contract/operations.js";
import type { JsonObject } from "../../../foundation/json.js";
import { typeName } from "../../../foundation/json-shape.js";
import { shippedSchemas } from "../../../generated/shipped-schemas.js";
import type { VerifyRun } from "../ask/run.js";
import { type Exchange, groupIn, sentField, succeeded } from "../service/exchanges.js";

/** What the interface document says, with its words. */
export const facts = {
  created: `get-or-create returns success 1 ("1 if the call was successful"), new_user_group and user_group`,
  rotated: `rotate returns success 1 and user_group ("The user group […], carrying its token")`,
  flag: `new_user_group is "true when a new user group was created by this call", and otherwise false`,
  group: "user_group has team_id, token, name and provided_id",
  sent: `name is the name that was sent, and provided_id "corresponds to the request field user_group_id"`,
  rotatedGroup: `rotate "takes the user group's current token and returns the user group"`,
  rotatedToken: `the token that rotate returns is that of the group ("carrying its token") from then on`,
  mapping: `get-or-create accepts mapping ("Schema id to data source association") and properties`,
  authorization: `the Authorization header "applies to both operations": neither succeeds without it`,
  failure: `a failed request returns success "0 when the call was not successful"`,
} as const;

export type FactId = keyof typeof facts;

export interface BrokenFact {
  readonly id: FactId;
  /** What the service did instead. */
  readonly detail: string;
}

type SeenFacts = Pick<VerifyRun, "usual" | "seen"> & { readonly exchanges: readonly Exchange[] };

/** The documented facts that do not hold. What was not seen is not judged. */
export function brokenFacts({ usual, seen, exchanges }: SeenFacts): BrokenFact[] {
  const ofKind = (wanted: string) => usual.find(({ kind }) => kind === wanted)?.exchange;
  const created = ofKind("created");
  const found = ofKind("found");
  const rotated = ofKind("rotated");
  const noToken = seen.get("no API token");
  const details: Record<FactId, string | undefined> = {
    created: created && wrongType(body(created), shippedSchemas["get-or-create.response.json"].properties),
    rotated: rotated && wrongType(body(rotated), shippedSchemas["rotate.response.json"].properties),
    flag: found && mismatch(body(found), { new_user_group: false }),
    group: created && wrongType(group(created), shownSchemas),
    sent: created && mismatch(group(created), sentNames(created)),
    rotatedGroup: rotated && rotatedGroupProblem(rotated, usual),
    rotatedToken: rotated && rotatedTokenProblem(rotated, usual),
    // Every group of the run is created with them, unless a sample says otherwise.
    mapping: undefined,
    authorization: noToken?.outcome && "a look-up without an Authorization header succeeded",
    failure: failureProblem(exchanges),
  };
  return Object.entries(details).flatMap(([id, detail]) => {
    return detail === undefined ? [] : [{ id: id as FactId, detail }];
  });
}

const body = ({ received }: Exchange): JsonObject => Object(received.json);
const group = ({ received }: Exchange) => groupIn(received);

function sentNames({ sent }: Exchange): JsonObject {
  return { name: sentField(sent, "name"), provided_id: sentField(sent, "user_group_id") };
}

/** The group is the same as before, whatever its token is. */
function rotatedGroupProblem(rotated: Exchange, usual: VerifyRun["usual"]): string | undefined {
  const { token: _, ...now } = group(rotated);
  const isOfGroup = ({ exchange }: VerifyRun["usual"][number]) =>
    exchange.sent.method !== "POST" && group(exchange).token === sentField(rotated.sent, "current_token");
  const before = usual.find(isOfGroup)?.exchange;
  if (before === undefined) return undefined;
  const { team_id, name, provided_id } = group(before);
  return mismatch(now, { team_id, name, provided_id });
}

/** The first look-up after a rotation shows the token that the rotation returned. */
function rotatedTokenProblem(rotated: Exchange, usual: VerifyRun["usual"]): string | undefined {
  const after = usual.slice(usual.findIndex(({ exchange }) => exchange === rotated) + 1);
  const lookUp = after.find(({ kind, exchange }) => {
    return kind === "found" && group(exchange).provided_id === group(rotated).provided_id;
  });
  if (lookUp === undefined || group(lookUp.exchange).token === group(rotated).token) return undefined;
  return "rotate and the next look-up did not return the same token";
}

/** A rejection by the operations of the service. A router or a proxy may reject other paths and methods. */
function failureProblem(exchanges: readonly Exchange[]): string | undefined {
  const wrong = exchanges.find(({ sent, received }) => {
    const isOperation = sent.path === servicePath && operationOf(sent.method) !== undefined;
    const isRejected = !succeeded(received) && body({ sent, received }).success !== 0;
    return isOperation && isRejected;
  });
  if (wrong === undefined) return undefined;
  return `success was ${jsonText(body(wrong).success)} with status ${wrong.received.status}`;
}

type FieldSchemas = Readonly<Record<string, { readonly type?: string; readonly const?: number }>>;

function wrongType(found: JsonObject, fields: FieldSchemas): string | undefined {
  for (const [name, { type, const: only }] of Object.entries(fields)) {
    const value = found[name];
    const isRight = type === undefined ? only === undefined || value === only : hasType(value, type);
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

/** A value of a response, in a sentence. */
function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}
