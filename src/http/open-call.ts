import type { ServerResponse } from "node:http";
import { Decisions } from "../service/decisions.js";
import { plainReply } from "../service/failures.js";
import type { Answer, Delivered } from "../world/answer.js";
import type { Epoch } from "../world/epoch.js";
import type { HostedWorld } from "../world/hosted-world.js";
import type { Entry } from "../world/journal.js";
import { wasCut } from "./cut-connections.js";
import { refusedCallOf } from "./refused-calls.js";
import { sendReply, wireOf } from "./send.js";
import type { ServerRequest } from "./server-request.js";

/** Who learns of a call besides its caller. */
export interface CallWatchers {
  /** Called with a defect of the mock: the caller learns only that there was one. */
  readonly report: (defect: unknown) => void;
  /** Called with every call once its journal entry is complete. */
  readonly answered: ((world: string, entry: Entry) => void) | undefined;
}

/**
 * A call of the service on its way to an answer, and its journal entry. The entry opens before anything else happens,
 * and is complete before the caller can have the last byte.
 */
export class OpenCall {
  readonly world: HostedWorld;
  readonly epoch: Epoch;
  readonly entry: Entry;
  readonly #res: ServerResponse;
  readonly #watchers: CallWatchers;

  constructor(req: ServerRequest, res: ServerResponse, world: HostedWorld, watchers: CallWatchers) {
    const { method, url: path, headers, rawHeaders } = req;
    let size = path.length;
    for (const text of rawHeaders) size += text.length;
    this.#res = res;
    this.world = world;
    this.#watchers = watchers;
    this.epoch = world.epoch;
    const { assumptions, pinned } = this.epoch;
    this.entry = this.epoch.journal.open({ method, path, headers, size }, new Decisions(assumptions, pinned));
  }

  /** A defect of the mock fails this call, not the server. */
  attempt(work: () => void): void {
    try {
      work();
    } catch (defect) {
      this.#fail(defect);
    }
  }

  answer(answer: Answer | Promise<Answer>): void {
    // Only a fault makes a promise: everything else is answered at once.
    if (!(answer instanceof Promise)) {
      this.finish(answer);
      return;
    }
    this.#res.once("close", () => {
      this.entry.leftMs ??= this.entry.elapsedMs;
    });
    answer.then((late) => this.finish(late)).catch((defect) => this.#fail(defect));
  }

  finish(answer: Answer): void {
    const { entry } = this;
    const wire = wireOf(answer, entry.id, entry.decisions);
    const isLate = answer.dribbleMs !== undefined || answer.fault === "silent";
    sendReply(this.#res, answer, wire, (delivered) => {
      this.#complete(answer, delivered);
      if (isLate) this.#tell();
    });
    // Others learn of it after the caller: they may take their time.
    if (!isLate) this.#tell();
  }

  /** The body will not arrive: the caller has left, or `listen` has refused it as no HTTP or too slow. */
  abandon(): void {
    const refused = refusedCallOf(this.#res);
    if (refused?.note !== undefined) this.entry.note(refused.note);
    this.#complete(refused?.answer, refused?.delivered ?? { delivery: "caller-left" });
    this.#tell();
  }

  #complete(answer: Answer | undefined, delivered: Delivered): void {
    const isCut = delivered.delivery === "caller-left" && wasCut(this.#res.req.socket);
    this.epoch.complete(this.entry, answer, delivered, isCut);
  }

  #tell(): void {
    this.#watchers.answered?.(this.world.name, this.entry);
  }

  #fail(defect: unknown): void {
    this.#watchers.report(defect);
    try {
      if (this.#res.headersSent) this.#res.destroy();
      else this.finish(internal);
    } catch (again) {
      this.#watchers.report(again);
      this.#res.destroy();
    }
  }
}

const internal = plainReply({
  code: "internal",
  message:
    "usergroup-mock failed, which is a defect of the mock and not of your call. Its log has the cause.",
});
