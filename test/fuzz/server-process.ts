import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type CliProcess, startCli } from "../cli-process.js";
import { Bystander } from "../http/bystander.js";
import { Finding } from "./finding.js";
import { patienceMs } from "./patience.js";

/** Starts a program that prints the ready line. */
export type Launch = () => CliProcess;

/** The built command line. It ends with us, also when we are killed. */
export const launchCli: Launch = () =>
  startCli(["--port", "0", "--log", "silent", "--exit-with-parent"], { stdio: "pipe" });

interface Asked {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of every shape.
  readonly json: any;
}

/** A server in a process of its own, with a bystander that calls it all the time. */
export class ServerProcess {
  readonly url: string;
  readonly #process: CliProcess;
  readonly #bystander: Bystander;
  readonly #agent = new Agent({ keepAlive: true });
  /** The tokens of its seed: every world shows them. */
  readonly seedTokens: ReadonlySet<string>;
  /** How many calls were made. */
  calls = 0;
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

  /** A number for the next call. No other call has it: what a case leaves behind may still arrive in the next one. */
  nextCall(): number {
    return ++this.#lastCall;
  }

  get isAlive(): boolean {
    return this.#process.child.exitCode === null && this.#process.child.signalCode === null;
  }

  /** What it printed to standard error, where nothing belongs. */
  get complaints(): string {
    return this.#process.stderr();
  }

  get pid(): number | undefined {
    return this.#process.child.pid;
  }

  /** Its resident memory in bytes; 0 where the system does not tell. */
  get memory(): number {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    } catch {
      return 0;
    }
  }

  /** The slowest call of the bystander since the last time, in milliseconds. */
  async bystanderWaited(): Promise<number> {
    const late = setTimeout(patienceMs, Number.POSITIVE_INFINITY, { ref: false });
    try {
      return await Promise.race([this.#bystander.slowest(), late]);
    } catch (error) {
      throw new Finding("D: tokens never repeat, worlds never touch", `${error}`);
    }
  }

  /** The JSON of a call that has to succeed. */
  async get(path: string): Promise<Asked["json"]> {
    const { status, json } = await this.ask("GET", path);
    if (status === 200) return json;
    throw new Finding("it stays alive", `GET ${path} got ${status} ${JSON.stringify(json)}`);
  }

  /** A call of the admin API. A finding when there is no answer, or one that nobody asked for. */
  async ask(method: string, path: string, body?: unknown): Promise<Asked> {
    this.calls++;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(patienceMs);
    try {
      const req = request(`${this.url}${path}`, { method, headers, agent: this.#agent, signal });
      req.end(text);
      const [res] = await once(req, "response");
      const answer = Buffer.concat(await res.toArray()).toString();
      if (res.statusCode < 500) return { status: res.statusCode, json: JSON.parse(answer) };
      throw new Error(`${res.statusCode} ${answer}`);
    } catch (error) {
      throw new Finding("it stays alive", `${method} ${path} failed: ${error}. ${this.complaints}`);
    }
  }

  /** Sends a signal. Gives the exit code and how long it took to end, in milliseconds. */
  async signal(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
    const began = performance.now();
    this.#process.child.kill(signal);
    const ended = await Promise.race([
      this.#process.exited,
      setTimeout(patienceMs, undefined, { ref: false }),
    ]);
    return { code: ended?.code ?? null, ms: performance.now() - began };
  }

  /** The bystander leaves: the server is about to end. */
  async dismissBystander(): Promise<void> {
    await this.#bystander.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dismissBystander();
    this.#agent.destroy();
    await this.#process[Symbol.asyncDispose]();
  }
}
