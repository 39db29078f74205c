import { MockError } from "../foundation/mock-error.js";
import type { Snapshot } from "../generated/types.js";
import type { AssumptionValues } from "../service/assumptions.js";
import type { GroupStore } from "../store/group-store.js";
import { type Bounds, megabytes } from "./bounds.js";
import type { Epoch } from "./epoch.js";
import type { CapturedFaults } from "./faults/faults.js";

interface Captured {
  readonly groups: GroupStore;
  readonly faults: CapturedFaults;
  readonly assumptions: AssumptionValues;
  readonly pinned: ReadonlySet<string>;
  /** About what all of it takes, in bytes. */
  readonly bytes: number;
}

/** About what an empty snapshot takes. */
const emptySnapshotBytes = 1_000;

/** The snapshots of a world. A reset does not remove them. */
export class Snapshots {
  readonly #bounds: Bounds;
  readonly #captured = new Map<number, Captured>();
  #lastId = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** About what they take, in bytes. */
  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.#captured.values()) sum += bytes;
    return sum;
  }

  /** Keeps groups, faults and assumptions as they are now. */
  take({ groups, faults, assumptions, pinned }: Epoch): Snapshot {
    const { snapshots, snapshotBytes } = this.#bounds;
    const bytes = emptySnapshotBytes + groups.bytes + faults.characters;
    const exceeded =
      (this.#captured.size >= snapshots && `${snapshots}`) ||
      (this.bytes + bytes > snapshotBytes && `${megabytes(snapshotBytes)} of`);
    if (exceeded) {
      const message = `A world may keep ${exceeded} snapshots. Forget some of them.`;
      throw new MockError("too_many_snapshots", message);
    }
    const id = ++this.#lastId;
    this.#captured.set(id, { groups: groups.copy(), faults: faults.capture(), assumptions, pinned, bytes });
    return { id };
  }

  restore(id: number, epoch: Epoch): void {
    const { groups, faults, assumptions, pinned } = this.#get(id);
    epoch.groups.copyFrom(groups);
    epoch.faults.restore(faults);
    epoch.assumptions = assumptions;
    epoch.pinned = pinned;
  }

  forget(id: number): void {
    this.#get(id);
    this.#captured.delete(id);
  }

  clear(): void {
    this.#captured.clear();
  }

  #get(id: number): Captured {
    const captured = this.#captured.get(id);
    if (captured !== undefined) return captured;
    throw new MockError("unknown_snapshot", `This world keeps no snapshot ${id}.`);
  }
}
