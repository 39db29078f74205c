import { isObject, type JsonObject } from "../../../foundation/json.js";
import { furtherCosts } from "../service/budget.js";
import type { GroupClient } from "../service/group-client.js";
import type { ReceivedResponse } from "../service/received-response.js";
import type { RequestOptions } from "../service/service-client.js";
import { Draw } from "./draw.js";

/** A group of the further requests, as a program would remember it. */
export interface WalkedGroup {
  readonly id: string;
  readonly name: string;
  readonly mapping: JsonObject | undefined;
  readonly properties: JsonObject | undefined;
  /** The latest is the last one. */
  readonly tokens: readonly string[];
}

/**
 * The state of the further requests: their groups, and what is drawn for them.
 *
 * A group is forgotten before a request about it is sent, and remembered again once its response has arrived: without a
 * response, nobody knows which token the group has.
 */
export class Walk {
  readonly client: GroupClient;
  readonly draw: Draw;
  readonly #groups = new Map<string, WalkedGroup>();
  /** How many groups the whole run may have when the walk ends. */
  readonly #mostGroups: number;
  #names = 0;

  constructor(client: GroupClient) {
    this.client = client;
    this.draw = new Draw(client.groups.prefix);
    this.#mostGroups = client.budget.groups + furtherCosts.groups;
  }

  get groups(): WalkedGroup[] {
    return [...this.#groups.values()];
  }

  someGroup(): WalkedGroup | undefined {
    return this.#groups.size === 0 ? undefined : this.draw.one(this.groups);
  }

  get canCreate(): boolean {
    return this.client.budget.groups < this.#mostGroups;
  }

  /** Sends a correct get-or-create for a new group. */
  async create(fields: JsonObject & { readonly name: string }): Promise<ReceivedResponse> {
    const { name, mapping, properties } = fields;
    const group: WalkedGroup = {
      id: this.client.groups.newId(),
      name,
      mapping: isObject(mapping) ? mapping : undefined,
      properties: isObject(properties) ? properties : undefined,
      tokens: [],
    };
    const response = await this.client.send({ user_group_id: group.id, ...fields });
    // Without a token, a program could do nothing with the group.
    if (response.isSuccess && typeof response.group.token === "string") this.#remember(group, response);
    return response;
  }

  /** Sends a wrong get-or-create for a new group. Nobody knows what the group is then, so it is not used again. */
  createOnce(fields: JsonObject): Promise<ReceivedResponse> {
    return this.client.send({ user_group_id: this.client.groups.newId(), ...fields });
  }

  /** Sends get-or-create for a group that exists. */
  async lookUp(group: WalkedGroup, fields: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    this.#groups.delete(group.id);
    const response = await this.client.send({ user_group_id: group.id, ...fields }, options);
    this.#remember(group, response);
    return response;
  }

  /** Sends a wrong get-or-create for a group that exists. If it is accepted, the group is not used again. */
  async lookUpOnce(group: WalkedGroup, fields: JsonObject): Promise<ReceivedResponse> {
    this.#groups.delete(group.id);
    const response = await this.client.send({ user_group_id: group.id, ...fields });
    if (!response.isSuccess) this.#remember(group, response);
    return response;
  }

  async rotate(
    group: WalkedGroup,
    token: unknown,
    more: JsonObject = {},
    options: RequestOptions = {},
  ): Promise<ReceivedResponse> {
    this.#groups.delete(group.id);
    const response = await this.client.rotate(token, more, options);
    this.#remember(group, response);
    return response;
  }

  /** What a program keeps of a response: the name and the token. */
  #remember(group: WalkedGroup, { isSuccess, group: shown }: ReceivedResponse): void {
    const isNewToken = isSuccess && typeof shown.token === "string" && shown.token !== group.tokens.at(-1);
    this.#groups.set(group.id, {
      ...group,
      name: isSuccess && typeof shown.name === "string" ? shown.name : group.name,
      tokens: isNewToken ? [...group.tokens, String(shown.token)] : group.tokens,
    });
  }

  newName(): string {
    const { prefix } = this.client.groups;
    const number = ++this.#names;
    return this.draw.one([`${prefix} ${number} Ltd`, `${prefix} Søns & Co ${number}`, `${prefix}/${number}`]);
  }

  /** Other schema ids than those of a sample may not exist. */
  newMapping(): JsonObject | undefined {
    const { mapping } = this.client.base;
    if (!isObject(mapping)) return undefined;
    if (this.client.target.sample !== undefined) return mapping;
    const source = String(this.draw.below(900) + 100);
    return this.draw.one<JsonObject>([
      { "40": source },
      { "7": source, "12": "warehouse" },
      { sales: `source-${source}` },
    ]);
  }

  newProperties(): JsonObject {
    return this.draw.one<JsonObject>([
      { region: "EU" },
      { filterValue: `v${this.draw.below(100)}`, limit: this.draw.below(50) },
      { filters: { country: ["DE", "FR"] }, isActive: true },
    ]);
  }
}
