import type { Agent } from "node:http";
import fc from "fast-check";
import { expect } from "vitest";
import { operations, servicePath } from "../../src/fake/contract/operations.js";
import { call, type TestResponse } from "../call.js";
import { type ModelRequest, type ModelSeed, ModelWorld } from "./plain-model.js";

/** The expected state of all worlds. */
export class Model {
  readonly seed: ModelSeed;
  readonly worlds = new Map<string, ModelWorld>();
  readonly #issued = new Set<string>();

  constructor(seed: ModelSeed) {
    this.seed = seed;
    this.world("default");
  }

  /** A world is created on first use. */
  world(name: string): ModelWorld {
    const world = this.peek(name);
    this.worlds.set(name, world);
    return world;
  }

  peek(name: string): ModelWorld {
    return this.worlds.get(name) ?? new ModelWorld(this.seed, this.#issued);
  }
}

export interface Real {
  readonly url: string;
  /** Keeps connections open: thousands of runs would use up the ports of the machine. */
  readonly agent: Agent;
}

export const worldNames = fc.constantFrom("default", "default", "w1", "w2");

const baseOf = (url: string, world: string) => (world === "default" ? url : `${url}/worlds/${world}`);

/** Sends requests to one world. */
export interface Sender {
  /** The base URL of the world. */
  readonly url: string;
  readonly service: (request: ModelRequest) => Promise<TestResponse>;
  readonly admin: (method: string, path: string, body?: unknown) => Promise<TestResponse>;
}

export function senderOf({ url: server, agent }: Real, world: string): Sender {
  const url = baseOf(server, world);
  return {
    url,
    service: ({ operation, body, apiToken }) =>
      call(operations[operation].method, `${url}${servicePath}`, body, { apiToken, agent }),
    admin: (method, path, body) => call(method, `${url}/__admin${path}`, body, { agent }),
  };
}

/** @param text describes the command when a run fails */
export function command(
  world: string,
  text: string,
  run: (model: ModelWorld, sender: Sender, all: Model) => Promise<void>,
): fc.AsyncCommand<Model, Real> {
  return {
    check: () => true,
    run: async (all, real) => {
      const model = all.peek(world);
      /** A GET of the admin API does not create a world. */
      const enter = () => all.worlds.set(world, all.worlds.get(world) ?? model);
      const sender = senderOf(real, world);
      await run(
        model,
        {
          ...sender,
          service: (request) => {
            enter();
            return sender.service(request);
          },
          admin: (method, path, body) => {
            if (method !== "GET") enter();
            return sender.admin(method, path, body);
          },
        },
        all,
      );
    },
    toString: () => `${world}: ${text}`,
  };
}

export async function ok(responding: Promise<TestResponse>): Promise<TestResponse["body"]> {
  const { status, body } = await responding;
  expect([status, body]).toEqual([200, body]);
  return body;
}
