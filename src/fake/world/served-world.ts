import type { AssumptionChoice, GroupDetail, NewGroup, ResetRequest } from "../../generated/types.js";
import { assumptionProblems } from "../contract/assumption-problems.js";
import { showDetail } from "../contract/group-fields.js";
import { MockError } from "../contract/mock-error.js";
import type { Behaviour } from "../service/behaviour.js";
import { GroupStore } from "../service/group-store.js";
import { buildSeed, checkFixture, groupProblems } from "../service/seed.js";
import { Epoch, type WorldParts } from "./epoch.js";
import type { Entry } from "./journal/journal.js";
import type { PastEpoch, RecordedEpoch } from "./journal/journals.js";

/** One isolated copy of everything, with what a test can change in it. */
export class ServedWorld {
  /** The epoch of requests that begin now. */
  epoch: Epoch;
  readonly #parts: WorldParts;

  /** @param number of its first epoch */
  constructor(name: string, parts: WorldParts, number: number) {
    this.#parts = parts;
    this.epoch = new Epoch(parts, name, number);
  }

  /** Begins a new epoch from the seed. The journal of the old one stays in the history. */
  reset({ label }: ResetRequest = {}): void {
    this.close("the world was reset");
    this.epoch = new Epoch(this.#parts, this.epoch.world, this.epoch.number + 1, label);
  }

  /** Ends the epoch. Requests that are in progress end in the history. */
  close(reason: string): void {
    this.epoch.end({ code: "reset", reason });
    this.#parts.journals.keep(this.epoch, this.epoch.groups.issued);
  }

  /** The earlier epochs, newest first. */
  get past(): readonly PastEpoch[] {
    return this.#parts.journals.of(this.epoch.world);
  }

  /** The current epoch, or an earlier one, by its number. */
  findEpoch(number = this.epoch.number): RecordedEpoch {
    if (number === this.epoch.number) return this.epoch;
    const past = this.past.find((epoch) => epoch.number === number);
    if (past !== undefined) return past;
    const current = `The current epoch is ${this.epoch.number}.`;
    throw new MockError("unknown_epoch", `Epoch ${number} is not in the history. ${current}`);
  }

  /** @param epoch the number of an earlier epoch */
  entry(id: number, epoch?: number): Entry {
    const entry = this.findEpoch(epoch).journal.get(id);
    if (entry !== undefined) return entry;
    throw new MockError("unknown_request", `The journal of this world has no request ${id}.`);
  }

  /** Replaces teams and groups, or throws and changes nothing. A later reset still goes back to the seed. */
  load(fixture: unknown): void {
    const { schemas, seed } = this.#parts;
    const { world, number, groups, behaviour } = this.epoch;
    const loaded = buildSeed([checkFixture(fixture, { schemas, behaviour })], seed.randomSeed);
    this.epoch.groups = new GroupStore(world, number, loaded, groups);
  }

  /** Adds one group, or throws and changes nothing. */
  addGroup(given: NewGroup): GroupDetail {
    const { groups, behaviour } = this.epoch;
    const { team_id = groups.seed.firstTeam, provided_id, token } = given;
    const problems = groupProblems(given, behaviour);
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
    this.epoch.behaviour = this.epoch.behaviour.with({ ...choice }, "pinned");
    return this.epoch.behaviour;
  }
}
