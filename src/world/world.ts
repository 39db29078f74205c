import type { AssumptionValues } from "../service/assumptions.js";
import type { Seed } from "../service/seed.js";
import { UserGroups } from "../service/user-groups.js";
import { Journal } from "./journal.js";

/**
 * One isolated copy of everything, from the seed to the next reset. A reset puts another world in its place
 * (see `Worlds`): a call that began before it goes on in the old one, where nobody sees what it does.
 */
export class World {
  readonly name: string;
  readonly groups: UserGroups;
  readonly journal = new Journal();
  readonly assumptions: AssumptionValues;

  constructor(name: string, seed: Seed, assumptions: AssumptionValues) {
    this.name = name;
    this.groups = new UserGroups(name, seed);
    this.assumptions = assumptions;
  }
}
