import type { AssumptionChoice, GroupDetail, NewGroup } from "../../generated/types.js";
import { assumptionProblems } from "../contract/assumptions.js";
import { showDetail } from "../contract/group-fields.js";
import { MockError } from "../contract/mock-error.js";
import type { Schemas } from "../contract/schemas.js";
import type { Behaviour } from "../service/behaviour.js";
import { Decisions } from "../service/decisions.js";
import { GroupStore } from "../service/group-store.js";
import { buildSeed, type FixtureSource, groupProblems, type Seed } from "../service/seed.js";
import { type Ending, Faults } from "./faults/faults.js";
import type { Delivered, Entry, RequestHead } from "./journal/entry.js";
import { Journal, type JournalParts } from "./journal/journal.js";
import type { Journals } from "./journal/journals.js";

/** What the worlds of a server have in common. */
export interface WorldParts extends JournalParts {
  readonly version: string;
  readonly seed: Seed;
  readonly schemas: Schemas;
  readonly behaviour: Behaviour;
  readonly journals: Journals;
  /** Called with everything that the inspector may show. */
  readonly happened: () => void;
}

/**
 * One isolated copy of everything, with what a test can change in it. A reset replaces it by a new one of the same name: a
 * request ends in the world in which it began, and then only the history shows it.
 */
export class ServedWorld {
  readonly name: string;
  /** A state that is loaded replaces them. */
  groups: GroupStore;
  readonly journal: Journal;
  readonly faults = new Faults();
  behaviour: Behaviour;
  readonly #parts: WorldParts;

  /** @param epoch counts the resets of the worlds of this name, from 1 */
  constructor(parts: WorldParts, name: string, epoch: number, label?: string) {
    this.#parts = parts;
    this.name = name;
    this.groups = new GroupStore(name, epoch, parts.seed);
    this.journal = new Journal(parts, name, epoch, label);
    this.behaviour = parts.behaviour;
  }

  /** Begins the journal entry of a request. */
  open(head: RequestHead): Entry {
    this.#parts.happened();
    return this.journal.open(head, new Decisions(this.behaviour));
  }

  /** Completes the journal entry of a request with what its client could get. */
  close(entry: Entry, status: number | undefined, delivered: Delivered): void {
    this.#parts.happened();
    this.journal.close(entry, status, delivered);
  }

  /** Aborts held requests and waits. */
  abort(ending: Ending): void {
    this.faults.abort(ending);
    this.journal.abortWaits(ending.reason);
  }

  /** The journal, or an earlier one of the worlds of this name. */
  findJournal(epoch = this.journal.epoch): Journal {
    const found = [this.journal, ...this.#parts.journals.of(this.name)].find((one) => one.epoch === epoch);
    if (found !== undefined) return found;
    const current = `The current epoch is ${this.journal.epoch}.`;
    throw new MockError("unknown_epoch", `Epoch ${epoch} is not in the history. ${current}`);
  }

  /** @param epoch that of an earlier journal */
  entry(id: number, epoch?: number): Entry {
    const entry = this.findJournal(epoch).get(id);
    if (entry !== undefined) return entry;
    throw new MockError("unknown_request", `The journal of this world has no request ${id}.`);
  }

  /** Replaces teams and groups, or throws and changes nothing. A later reset still goes back to the seed. */
  load(fixture: FixtureSource): void {
    const seed = buildSeed([fixture], this.#parts.seed.randomSeed);
    this.groups = new GroupStore(this.name, this.journal.epoch, seed, this.groups);
  }

  /** Adds one group, or throws and changes nothing. */
  addGroup(given: NewGroup): GroupDetail {
    const { groups } = this;
    const { team_id = groups.seed.firstTeam, provided_id, token } = given;
    const problems = groupProblems(given, this.behaviour);
    if (!groups.seed.teams.some((team) => team.team_id === team_id))
      problems.push({ path: "/team_id", message: `there is no team ${team_id} in this world` });
    if (problems.length > 0) throw new MockError("invalid_group", "Invalid group:", problems);
    if (groups.get(team_id, provided_id) !== undefined)
      problems.push({ path: "/provided_id", message: `is already the id of a group of team ${team_id}` });
    if (token !== undefined && groups.withToken(token) !== undefined)
      problems.push({ path: "/token", message: "is or was the token of another group" });
    if (problems.length > 0) throw new MockError("group_exists", "The group already exists:", problems);
    return showDetail(groups.add({ ...given, team_id }), false);
  }

  /** Changes some assumptions or situations, or throws and changes nothing. A reset goes back to the server's values. */
  assume(choice: AssumptionChoice): Behaviour {
    const problems = assumptionProblems(choice);
    if (problems.length > 0) throw new MockError("invalid_assumption", "Invalid assumption:", problems);
    this.behaviour = this.behaviour.with({ ...choice }, "pinned");
    return this.behaviour;
  }
}
