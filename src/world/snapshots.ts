import { MockError } from "../foundation/mock-error.js";
import type { Snapshot } from "../generated/types.js";
import { assertFits, type Bounds, bytesOf } from "./bounds.js";
import type { Epoch } from "./epoch.js";

interface Captured extends Pick<Epoch, "groups" | "faults" | "assumptions" | "pinned"> {
  readonly bytes: number;
}

/** The approximate size of an empty snapshot. */
const emptySnapshotBytes = 1_000;

/** The snapshots of a world. A reset does not remove them. */
export class Snapshots {
  readonly #bounds: Bounds;
  readonly #captured = new Map<number, Captured>();
  #lastId = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get bytes(): number {
    return bytesOf(this.#captured.values());
  }

  /** Keeps groups, faults and assumptions as they are now. */
  take({ groups, faults, assumptions, pinned }: Epoch): Snapshot {
    const size = { bytes: emptySnapshotBytes + groups.bytes + faults.bytes };
    assertFits("snapshots", size, this.#captured, this.#bounds.snapshots);
    const id = ++this.#lastId;
    this.#captured.set(id, { groups: groups.copy(), faults: faults.copy(), assumptions, pinned, ...size });
    return { id };
  }

  restore(id: number, epoch: Epoch): void {
    const { groups, faults, assumptions, pinned } = this.#get(id);
    epoch.groups.copyFrom(groups);
    epoch.faults.copyFrom(faults);
    epoch.assumptions = assumptions;
    epoch.pinned = pinned;
  }

  forget(id: number): void {
    this.#get(id);
    this.#captured.delete(id);
  }

  #get(id: number): Captured {
    const captured = this.#captured.get(id);
    if (captured !== undefined) return captured;
    throw new MockError("unknown_snapshot", `There is no snapshot ${id} in this world.`);
  }
}
