import { isObject, type JsonObject } from "../../../foundation/json.js";
import { furtherPart } from "../service/budget.js";
import type { ReceivedResponse } from "../service/recorded.js";
import type { RequestOptions, ServiceClient } from "../service/service-client.js";
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

/** The state of the further requests: their groups, and what is drawn for them. */
export class Walk {
  readonly client: ServiceClient;
  readonly draw: Draw;
  readonly #groups = new Map<string, WalkedGroup>();
  #created = 0;

  constructor(client: ServiceClient) {
    this.client = client;
    this.draw = new Draw(client.groups.prefix);
  }

  get groups(): WalkedGroup[] {
    return [...this.#groups.values()];
  }

  /** Some group. */
  someGroup(): WalkedGroup | undefined {
    const [first, ...others] = this.groups;
    return first && this.draw.one([first, ...others]);
  }

  get canCreate(): boolean {
    return this.#created < furtherPart.groups;
  }

  /** Sends get-or-create for a new group. With a mistake, nobody knows what the group is, and it is not used again. */
  createOnce(fields: JsonObject): Promise<ReceivedResponse> {
    return this.#sendNew({ user_group_id: this.client.groups.newId(), ...fields });
  }

  /** A request without a response may have created its group. */
  async #sendNew(body: JsonObject): Promise<ReceivedResponse> {
    this.#created++;
    const response = await this.client.send(body);
    if (!response.isSuccess) this.#created--;
    return response;
  }

  /** Sends get-or-create for a new group. */
  async create(fields: JsonObject): Promise<ReceivedResponse> {
    const id = this.client.groups.newId();
    const response = await this.#sendNew({ user_group_id: id, ...fields });
    const { name, mapping, properties } = fields;
    this.#remember(response, {
      id,
      name: String(name),
      mapping: isObject(mapping) ? mapping : undefined,
      properties: isObject(properties) ? properties : undefined,
      tokens: [],
    });
    return response;
  }

  /** Sends get-or-create for a group that exists. */
  async lookUp(group: WalkedGroup, fields: JsonObject, options?: RequestOptions): Promise<ReceivedResponse> {
    const response = await this.#sendAbout(group, () =>
      this.client.send({ user_group_id: group.id, ...fields }, options),
    );
    this.#remember(response, group);
    return response;
  }

  /** Sends get-or-create with a mistake for a group that exists. If it is accepted, the group is not used again. */
  async lookUpOnce(group: WalkedGroup, fields: JsonObject): Promise<ReceivedResponse> {
    this.#groups.delete(group.id);
    const response = await this.client.send({ user_group_id: group.id, ...fields });
    if (!response.isSuccess) this.#groups.set(group.id, group);
    return response;
  }

  async rotate(
    group: WalkedGroup,
    token: unknown,
    more: JsonObject = {},
    options: RequestOptions = {},
  ): Promise<ReceivedResponse> {
    const response = await this.#sendAbout(group, () => this.client.rotate(token, more, options));
    this.#remember(response, group);
    return response;
  }

  /** If there is no response, nobody knows which token the group has. */
  async #sendAbout(group: WalkedGroup, send: () => Promise<ReceivedResponse>): Promise<ReceivedResponse> {
    this.#groups.delete(group.id);
    const response = await send();
    this.#groups.set(group.id, group);
    return response;
  }

  #remember({ isSuccess, group: { token, name } }: ReceivedResponse, group: WalkedGroup): void {
    if (!isSuccess || typeof token !== "string") return;
    const tokens = token === group.tokens.at(-1) ? group.tokens : [...group.tokens, token];
    this.#groups.set(group.id, { ...group, name: typeof name === "string" ? name : group.name, tokens });
  }

  newName(): string {
    const { prefix } = this.client.groups;
    const number = this.client.groups.newName().slice(prefix.length + 1);
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
