import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type CliProcess, startCli } from "../cli-process.js";
import { Bystander } from "../server/bystander.js";
import { Finding } from "./finding.js";
import { patienceMs } from "./patience.js";

/** Starts a program that prints the ready line. */
export type Launch = () => CliProcess;

/** The built command line. It ends with this process, even if this process is killed. */
export const launchCli: Launch = () =>
  startCli(["--port", "0", "--log", "silent", "--exit-with-parent"], { stdio: "pipe" });

interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape.
  readonly json: any;
}

/** A server in a process of its own, with a bystander that sends requests all the time. */
export class ServerProcess {
  readonly url: string;
  readonly #process: CliProcess;
  readonly #bystander: Bystander;
  /** The tokens of its seed, which every world has. */
  readonly seedTokens: ReadonlySet<string>;
  /** How many requests were sent. */
  requests = 0;
  #lastCall = 0;

  private constructor(url: string, process: CliProcess, bystander: Bystander, seedTokens: Set<string>) {
    this.url = url;
    this.#process = process;
    this.#bystander = bystander;
    this.seedTokens = seedTokens;
  }

  static async start(launch: Launch): Promise<ServerProcess> {
    const process = launch();
    const url = await process.ready;
    const seedTokens = new Set<string>();
    const server = new ServerProcess(url, process, await Bystander.start(url, process.child.pid), seedTokens);
    const { groups } = await server.get("/__admin/groups");
    for (const { token } of groups) seedTokens.add(token);
    return server;
  }

  /** A unique number for the next request: requests of an earlier case may still arrive. */
  nextTag(): number {
    return ++this.#lastCall;
  }

  get isAlive(): boolean {
    return this.#process.child.exitCode === null && this.#process.child.signalCode === null;
  }

  /** Its standard error, which should be empty. */
  get errorOutput(): string {
    return this.#process.stderr();
  }

  /** Its resident memory in bytes; 0 if unknown. */
  get memory(): number {
    try {
      const status = readFileSync(`/proc/${this.#process.child.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    } catch {
      return 0;
    }
  }

  /** The slowest request of the bystander since the last call, in milliseconds. */
  async bystanderWaited(): Promise<number> {
    const late = setTimeout(patienceMs, Number.POSITIVE_INFINITY, { ref: false });
    try {
      return await Promise.race([this.#bystander.slowest(), late]);
    } catch (error) {
      throw new Finding("D: tokens never repeat, worlds are isolated", `${error}`);
    }
  }

  /** The JSON of a request that has to succeed. */
  async get(path: string): Promise<Asked["json"]> {
    const { status, json } = await this.ask("GET", path);
    if (status === 200) return json;
    throw new Finding("the server stays alive", `GET ${path} got ${status} ${JSON.stringify(json)}`);
  }

  /** Makes an admin call. Throws a finding without a response, or with a 5xx. */
  async ask(method: string, path: string, body?: unknown): Promise<Asked> {
    this.requests++;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(patienceMs);
    try {
      // On a new connection: a server that computed for long may close an idle one just now.
      const req = request(`${this.url}${path}`, { method, headers, agent: false, signal });
      req.end(text);
      const [res] = await once(req, "response");
      const response = Buffer.concat(await res.toArray()).toString();
      if (res.statusCode < 500) return { status: res.statusCode, json: JSON.parse(response) };
      throw new Error(`${res.statusCode} ${response}`);
    } catch (error) {
      throw new Finding("the server stays alive", `${method} ${path} failed: ${error}. ${this.errorOutput}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bystander.stop();
    await this.#process[Symbol.asyncDispose]();
  }
}
