import { isDeepStrictEqual } from "node:util";
import type { Operation } from "../../src/generated/types.js";

/** The reference model of the mock, as plain data. It does not derive tokens, but learns them from responses. */

export interface ModelGroup {
  readonly team: number;
  readonly id: string;
  readonly name: string;
  readonly mapping: object;
  readonly properties: object;
  readonly token: string;
}

export interface ModelFault {
  readonly id: number;
  readonly operation?: Operation;
  readonly match?: { readonly user_group_id: string };
  readonly phase?: "before" | "after";
  readonly times?: number | "always";
  readonly skip?: number;
  readonly status: number;
  fired: number;
  seen: number;
}

/** The token that the mock has just given to a group. */
export type Given = (team: number, id: string) => string;

export interface ModelRequest {
  readonly operation: Operation;
  readonly apiToken: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The expected response. */
export type Expected =
  | { readonly kind: "fault"; readonly status: number; readonly fault: number }
  | { readonly kind: "failure"; readonly status: number; readonly code: string; readonly message?: string }
  | {
      readonly kind: "success";
      readonly status: number;
      readonly isNew?: boolean;
      readonly group: ModelGroup;
    };

export interface ModelEntry {
  readonly id: number;
  readonly operation: Operation;
  readonly outcome: "success" | "failure" | "fault";
  readonly fault: number | null;
}

interface Retired {
  readonly key: string;
  readonly by: number;
}

/** The initial teams, by API token, and groups of a world. */
export interface ModelSeed {
  readonly teams: ReadonlyMap<string, number>;
  readonly groups: readonly ModelGroup[];
}

export const keyOf = ({ team, id }: Pick<ModelGroup, "team" | "id">) => `${team}/${id}`;

export class ModelWorld {
  readonly #seed: ModelSeed;
  /** Every token that any world has issued. None is issued twice, not even after a reset or a drop. */
  readonly #issued: Set<string>;
  teams = new Map<string, number>();
  groups = new Map<string, ModelGroup>();
  retired = new Map<string, Retired>();
  faults: ModelFault[] = [];
  assumed: Record<string, string | undefined> = {};
  journal: ModelEntry[] = [];
  lastRequest = 0;
  /** Every token that the world has had, also before resets: clients may send any of them. */
  readonly everKnown = new Set<string>();

  constructor(seed: ModelSeed, issued: Set<string>) {
    this.#seed = seed;
    this.#issued = issued;
    this.reset();
  }

  reset(): void {
    this.load(this.#seed);
    this.faults = [];
    this.assumed = {};
    this.journal = [];
    this.lastRequest = 0;
  }

  load({ teams, groups }: ModelSeed): void {
    this.teams = new Map(teams);
    this.groups = new Map(groups.map((group) => [keyOf(group), group]));
    this.retired = new Map();
  }

  /** @param given is called for a token that has to be new */
  send(sent: ModelRequest, given: Given): Expected {
    const request = ++this.lastRequest;
    const expected = this.#respond(sent, request, given);
    const fault = expected.kind === "fault" ? expected.fault : null;
    this.journal.push({ id: request, operation: sent.operation, outcome: expected.kind, fault });
    return expected;
  }

  #respond(sent: ModelRequest, request: number, given: Given): Expected {
    const team = this.teams.get(sent.apiToken);
    if (team === undefined) return this.#failure(401, "unauthorized");
    const fault = this.faults.find((candidate) => this.#takes(candidate, sent));
    if (fault === undefined || fault.phase === "after") {
      const done = this.#operate(team, sent, request, given);
      if (fault === undefined) return done;
    }
    return { kind: "fault", status: fault.status, fault: fault.id };
  }

  #takes(fault: ModelFault, { operation, body }: ModelRequest): boolean {
    const { times = 1, skip = 0 } = fault;
    if (times !== "always" && fault.fired >= times) return false;
    if (fault.operation !== undefined && fault.operation !== operation) return false;
    if (fault.match !== undefined && fault.match.user_group_id !== body.user_group_id) return false;
    if (++fault.seen <= skip) return false;
    fault.fired++;
    return true;
  }

  #operate(team: number, { operation, body }: ModelRequest, request: number, given: Given): Expected {
    const results: Record<Operation, () => Expected> = {
      "get-or-create": () => this.#getOrCreate(team, body, given),
      rotate: () => this.#rotate(team, String(body.current_token), request, given),
    };
    return results[operation]();
  }

  #getOrCreate(team: number, body: ModelRequest["body"], given: Given): Expected {
    const { user_group_id, ...sent } = body as { user_group_id: string } & Partial<ModelGroup>;
    const anywhere = [...this.groups.values()].filter(({ id }) => id === user_group_id);
    const own = anywhere.find((group) => group.team === team);
    const found = own ?? (this.assumed["group-scope"] === "global" ? anywhere[0] : undefined);
    if (found !== undefined) {
      const group = this.#changed(found, sent);
      if (group === undefined) return this.#failure(409, "conflict");
      this.#put(group);
      return { kind: "success", status: 200, isNew: false, group };
    }
    const nameless = this.assumed["name-on-create"] === "defaults-to-id" ? user_group_id : undefined;
    const name = sent.name ?? nameless;
    if (name === undefined) return this.#failure(400, "invalid_body");
    const token = this.#new({ team, id: user_group_id }, given);
    const group = { team, id: user_group_id, name, mapping: {}, properties: {}, ...sent, token };
    this.#put(group);
    return { kind: "success", status: Number(this.assumed["created-status"] ?? 200), isNew: true, group };
  }

  /** A group after a request that finds it. Undefined if the request is rejected. */
  #changed(group: ModelGroup, sent: Partial<ModelGroup>): ModelGroup | undefined {
    const mapping = { ...group.mapping, ...sent.mapping };
    const properties = { ...group.properties, ...sent.properties };
    const isChanged = !isDeepStrictEqual({ ...group, ...sent }, group);
    switch (this.assumed["existing-group"] ?? "unchanged") {
      case "updated":
        return { ...group, ...sent };
      case "merged":
        return { ...group, ...sent, mapping, properties };
      case "rejected":
        return isChanged ? undefined : group;
      case "name-rejected":
        return (sent.name ?? group.name) === group.name ? group : undefined;
      default:
        return group;
    }
  }

  #acceptsOld(group: ModelGroup, token: string): boolean {
    const value = this.assumed["old-token"];
    // The token that a rotation retired last.
    const last = [...this.retired].findLast(([, { key }]) => key === keyOf(group))?.[0];
    return value === "accepted" || (value === "previous" && token === last);
  }

  #rotate(team: number, token: string, request: number, given: Given): Expected {
    const current = [...this.groups.values()].find((group) => group.token === token);
    const retired = this.retired.get(token);
    const group = current ?? this.groups.get(retired?.key ?? "");
    if (group === undefined) return this.#failure(404, "unknown_token", this.#whyUnknown(token));
    if (group.team !== team && this.assumed["foreign-token"] !== "accepted") {
      return this.#failure(404, "unknown_token", "belongs to a group of another team.");
    }
    if (current === undefined && !this.#acceptsOld(group, token)) {
      return this.#failure(404, "unknown_token", `was rotated out by request ${retired?.by}.`);
    }
    if (this.assumed["rotated-token"] === "same") {
      return { kind: "success", status: 200, group };
    }
    const rotated = { ...group, token: this.#new(group, given) };
    this.retired.set(group.token, { key: keyOf(group), by: request });
    this.#put(rotated);
    return { kind: "success", status: 200, group: rotated };
  }

  #whyUnknown(token: string): string | undefined {
    if (this.teams.has(token)) return "is the API token of";
    // Whether the message knows of an earlier epoch depends on the history.
    return this.everKnown.has(token) ? undefined : "belongs to no group of";
  }

  /** The group that was changed last is the last one. */
  #put(group: ModelGroup): void {
    this.groups.delete(keyOf(group));
    this.groups.set(keyOf(group), group);
    this.everKnown.add(group.token);
  }

  #failure(status: number, code: string, message?: string): Expected {
    const always200 = this.assumed["failure-status"] === "always-200";
    return {
      kind: "failure",
      status: always200 ? 200 : status,
      code,
      ...(message !== undefined && { message }),
    };
  }

  /** Throws if the token repeats. */
  #new({ team, id }: Pick<ModelGroup, "team" | "id">, given: Given): string {
    const token = given(team, id);
    if (!/^[0-9a-f]{64}$/.test(token)) throw new Error(`${token} is not a token`);
    if (this.#issued.has(token)) throw new Error(`${token} was issued before`);
    this.#issued.add(token);
    return token;
  }
}
