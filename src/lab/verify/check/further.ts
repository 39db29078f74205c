import type { JsonObject } from "../../../foundation/json.js";
import { needSecondTeam } from "../ask/group-questions.js";
import type { VerifyRun } from "../ask/run.js";
import type { Sent } from "../service/exchanges.js";
import { NotAsked } from "../service/not-asked.js";
import type { OwnGroup } from "../service/own-groups.js";

/** Draws from a seed (mulberry32), so that a run can be repeated by its prefix. */
export class Draw {
  #state = 0;

  constructor(seed: string) {
    for (const sign of seed) this.#state = (Math.imul(this.#state, 31) + (sign.codePointAt(0) ?? 0)) >>> 0;
  }

  /** A whole number below this one. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

/** Makes one further request. Throws NotAsked if it needs something that the run does not have. */
export type FurtherRequest = (maker: FurtherMaker) => Sent;

/** Values that were not asked: of each field, one a group of them. */
const mistakes: Readonly<Record<string, readonly ((maker: FurtherMaker) => unknown)[]>> = {
  name: [
    () => 12.5,
    () => ({}),
    () => ["x", 2],
    () => "",
    () => null,
    () => undefined,
    ({ run }) => "é".repeat((run.seen.get("name: long")?.limit?.over ?? 240) + 3),
  ],
  mapping: [
    () => 5,
    () => "40",
    () => [],
    () => null,
    () => undefined,
    () => ({ 40: 0 }),
    () => ({ 40: "213", 12: false }),
    () => ({ 40: null }),
    () => ({ 40: "" }),
    () => ({ forty: "213" }),
    () => ({ 40: {} }),
  ],
  properties: [() => 3, () => "a=b", () => [{}], () => null, () => undefined],
  usergroup: [() => 1, () => ({})],
};

/** Makes requests from which nothing is learned: the situations of the table, with other values and together. */
export class FurtherMaker {
  readonly run: VerifyRun;
  readonly draw: Draw;
  /** The groups of the check. */
  readonly groups: OwnGroup[] = [];

  constructor(run: VerifyRun) {
    this.run = run;
    this.draw = new Draw(run.groups.prefix);
  }

  /**
   * The next one. The first three make groups, the very first one as every service accepts it. Of the others, two of three
   * are what a correct program sends.
   */
  request(n: number): FurtherRequest {
    if (n === 0) return ({ run }) => run.get(run.newBody());
    if (n === 1) return (maker) => maker.create({ mapping: { 7: "x y" } });
    // As the ids of a database.
    if (n === 2) return (maker) => maker.create({ user_group_id: `7${maker.run.groups.newId()}` });
    return this.draw.pick(n % 3 === 2 ? mistaken : correct);
  }

  create(changes: JsonObject): Sent {
    const { base, groups } = this.run;
    const id = `${groups.newId()}${this.draw.pick(["", "a", "B", "_c", ".d", ":e", "@f.g", "/h"])}`;
    const name = `${groups.newName()}${this.draw.pick(["", " Söhne", " & co", ".", " (west)"])}`;
    return this.run.get({ ...base, user_group_id: id, name, ...changes });
  }

  lookUp(change: (group: OwnGroup) => JsonObject): Sent {
    const group = this.#group();
    return this.run.get({ user_group_id: group.id, ...change(group) });
  }

  whole({ name, fields }: OwnGroup): JsonObject {
    return { ...fields, name };
  }

  /** @param age how many rotations ago the group had the token */
  rotate(age: number, more: JsonObject = {}, team: 1 | 2 = 1): Sent {
    const group = this.#group();
    const token = group.tokens.at(-1 - age);
    if (token === undefined) throw new NotAsked("nothing to ask", "a group that was rotated");
    if (team === 2) needSecondTeam(this.run);
    return this.run.post({ current_token: token, ...more }, { team });
  }

  #group(): OwnGroup {
    const group = this.groups[this.draw.below(this.groups.length)];
    if (group === undefined) throw new NotAsked("nothing to ask", "a group of the check");
    return group;
  }

  /** One field or two have a value that was not asked. */
  mistake(fields: number): JsonObject {
    const names = Object.keys(mistakes);
    const first = this.draw.below(names.length);
    const second = (first + 1 + this.draw.below(names.length - 1)) % names.length;
    const drawn = [first, second].slice(0, fields).map((n) => names[n] ?? "name");
    return Object.fromEntries(drawn.map((name) => [name, this.draw.pick(mistakes[name] ?? [])(this)]));
  }
}

const correct: readonly FurtherRequest[] = [
  (maker) => maker.create({ properties: { n: 1, deep: { x: [true, null] } } }),
  (maker) => maker.lookUp(() => ({})),
  (maker) => maker.lookUp(({ name }) => ({ name })),
  (maker) => maker.lookUp((group) => maker.whole(group)),
  (maker) => maker.lookUp((group) => ({ ...maker.whole(group), name: maker.run.groups.newName() })),
  (maker) => maker.lookUp((group) => ({ ...maker.whole(group), mapping: { 41: "1" } })),
  (maker) => maker.lookUp((group) => ({ ...maker.whole(group), properties: { z: 2 } })),
  (maker) => maker.rotate(0),
  (maker) => maker.rotate(0),
  (maker) => maker.rotate(0, { filename: "other.mp4" }),
  (maker) => maker.rotate(1),
];

const mistaken: readonly FurtherRequest[] = [
  (maker) => maker.lookUp((group) => ({ ...maker.whole(group), ...maker.mistake(1) })),
  (maker) => maker.lookUp((group) => ({ ...maker.whole(group), ...maker.mistake(2) })),
  (maker) => maker.create(maker.mistake(1)),
  (maker) => maker.create(maker.mistake(2)),
  (maker) => maker.create(maker.mistake(2)),
  (maker) => maker.rotate(0, { filename: maker.draw.pick([null, 5, false]) }),
  (maker) => maker.rotate(0, { usergroup: 1 }),
  (maker) => maker.rotate(2),
  (maker) => maker.rotate(0, {}, 2),
  ({ run }) => run.post({ current_token: `${run.groups.prefix}-y` }),
  ({ run }) => run.get('{"user_group_id": '),
];
