import { randomBytes } from "node:crypto";
import { effects } from "../contract/effects.js";
import { dateNow } from "../foundation/clock.js";
import { durationWords } from "../foundation/duration-words.js";
import { MockError } from "../foundation/mock-error.js";
import type { Effect } from "../generated/types.js";
import type { AssumptionValues } from "../service/assumptions.js";
import type { Failure } from "../service/failures.js";
import { GroupStore } from "../store/group-store.js";
import type { Seed } from "../store/seed.js";
import { type Bounds, megabytes } from "./bounds.js";
import type { Events } from "./events.js";
import { Faults } from "./faults/faults.js";
import { type Entry, Journal } from "./journal/journal.js";
import type { Delivered, PlannedResponse } from "./planned-response.js";
import { Waits } from "./waits.js";

export interface EpochParts {
  readonly world: string;
  readonly number: number;
  readonly label: string | undefined;
  readonly seed: Seed;
  readonly assumptions: AssumptionValues;
  /** Assumptions that the test which started the server has set itself. */
  readonly pinned: ReadonlySet<string>;
  readonly journalSize: number;
  readonly events: Events;
  readonly bounds: Bounds;
}

/** The approximate size of a group and of a rotated token. */
const [groupBytes, tokenBytes] = [600, 300];

/**
 * A world from one reset to the next. A request belongs to the epoch in which it began: if the world is reset
 * meanwhile, the request ends in the old epoch, and only the history shows it.
 */
export class Epoch {
  readonly number: number;
  readonly label: string | undefined;
  readonly startedAt = dateNow();
  readonly groups: GroupStore;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly waits: Waits;
  assumptions: AssumptionValues;
  /** Assumptions that a test has set itself. */
  pinned: ReadonlySet<string>;
  /** Unique, because event ids of one epoch are not valid in another. */
  readonly id = randomBytes(4).toString("hex");
  /** Why the epoch ended; undefined while it goes on. */
  endedBy: string | undefined;
  readonly #bounds: Bounds;
  /** Whether the state lists an API token: others are masked. */
  readonly isListed = (apiToken: string): boolean => this.groups.teamOf(apiToken) !== undefined;

  constructor({ world, number, label, seed, assumptions, pinned, journalSize, events, bounds }: EpochParts) {
    this.number = number;
    this.label = label;
    this.#bounds = bounds;
    this.groups = new GroupStore(world, seed);
    this.faults = new Faults(seed.randomSeed, bounds, (fault) => events.emit({ type: "fault", fault }));
    const completed = (entry: Entry) => {
      this.waits.look(entry);
      events.emit({ type: "request", entry });
    };
    this.journal = new Journal(journalSize, completed, bounds.journalCharacters);
    this.waits = new Waits(this.journal, bounds);
    this.assumptions = assumptions;
    this.pinned = pinned;
  }

  /** Why the groups cannot grow by so many bytes; undefined if they can. */
  refusal(bytes = 0): Failure | undefined {
    const { groupBytes } = this.#bounds;
    if (this.groups.bytes + bytes <= groupBytes) return undefined;
    const message = `The groups of a world can use at most ${megabytes(groupBytes)}. Reset the world, or load fewer groups.`;
    return { code: "payload_too_large", message };
  }

  /** Counts what a request has added to the groups. */
  countEffect(effect: Effect, bodySize: number): void {
    const { stores } = effects[effect];
    if (stores === "group") this.groups.bytes += groupBytes + bodySize;
    if (stores === "token") this.groups.bytes += tokenBytes;
  }

  /** Throws if the epoch ended while the body of an admin call was arriving. */
  assertOpen(): void {
    if (this.endedBy === undefined) return;
    const message = `Nothing was changed: ${this.endedBy} while this request was arriving. Send it again.`;
    throw new MockError("aborted", message);
  }

  /**
   * Completes the journal entry of a request with what its caller could get.
   * @param isCut the connection was closed by a stop of the server, not by the caller
   */
  complete(entry: Entry, response: PlannedResponse | undefined, delivered: Delivered, isCut: boolean): void {
    let outcome = delivered;
    if (delivered.delivery === "caller-left" && isCut) {
      entry.note("the mock was stopped before the whole response was sent");
      outcome = { ...delivered, delivery: delivered.headers === undefined ? "none" : "cut" };
    } else if (delivered.delivery === "caller-left") entry.note(disconnectNote(entry, delivered));
    this.journal.close(entry, response, outcome);
  }

  /** Aborts held requests and waits. */
  end(reason: string): void {
    this.endedBy = reason;
    // The listener refers to this epoch, and the history must keep only its journal.
    this.journal.completed = () => {};
    this.faults.abort(reason);
    this.waits.abort(reason);
  }
}

/** When the caller disconnected, and what it cannot know. */
function disconnectNote(entry: Entry, { headers, sentText = "" }: Delivered): string {
  const { hadBeen, unseen } = effects[entry.effect];
  const after = `the caller closed the connection after ${durationWords(entry.disconnectedMs ?? entry.elapsedMs)}`;
  const sent =
    headers === undefined ? "before a response was sent" : `when ${sentText.length} characters had been sent`;
  const when = entry.text === undefined ? "before its body had arrived" : sent;
  return `${after}, ${when}${unseen === undefined ? "" : `; ${hadBeen}, ${unseen}`}`;
}
