import type { Sent } from "../service/exchanges.js";
import { BudgetEnded, NotAsked } from "../service/not-asked.js";
import { letters, type TextField } from "./lengths.js";
import { needsNewGroup } from "./name-checks.js";
import type { Seen, VerifyRun } from "./run.js";

/** Every sign of ASCII. */
const allSigns = " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** Those that ids and names usually have. They are tried where all together were rejected, and A for the capitals. */
const usualSigns: Readonly<Record<TextField, string>> = {
  user_group_id: "_-. :@/+=|",
  name: "_-. A'\"&,()!:@/+=|",
};

/** The others, in groups that services often forbid together. Each group is tried once. */
const unusualSigns = ["#$%&*,^~()[]", "`!?{}", ";'\"<>\\"];

/** Not ASCII. */
const otherCharacters = "éß群😀";

/** Where the length of a text is not limited, so many characters are tried at once. */
const mostAtOnce = 60;

/**
 * Which characters a text may have. Where one was rejected, only those are in the list that were accepted: what nobody
 * tried counts as rejected.
 */
export async function findCharacters(run: VerifyRun, field: TextField): Promise<Seen> {
  const known = run.isLight ? run.expected?.[`${field}: characters`] : undefined;
  const search = new CharacterSearch(run, field);
  if (typeof known === "object" && known.characters !== undefined) {
    const characters = known.characters;
    const seen = await search.ask(unlisted(characters));
    if (seen.outcome === undefined) return { ...seen, limit: { characters } };
  }
  try {
    await search.searchAll();
  } catch (error) {
    // What was accepted counts.
    if (!(error instanceof BudgetEnded) || search.rejection === undefined) throw error;
  }
  return search.result();
}

function asWord(sign: string): string {
  if (sign === "A") return "A-Z";
  return sign === " " ? "space" : sign;
}

/** A character that a list does not have. */
function unlisted(characters: string): string {
  const words = characters.split(" ");
  return [...allSigns].find((sign) => !words.includes(asWord(sign))) ?? otherCharacters;
}

class CharacterSearch {
  readonly #run: VerifyRun;
  readonly #field: TextField;
  readonly #accepted: string[] = [];
  #last: Seen | undefined;
  /** The last request that was rejected for its characters. */
  rejection: Seen | undefined;

  constructor(run: VerifyRun, field: TextField) {
    this.#run = run;
    this.#field = field;
  }

  async ask(characters: string): Promise<Seen> {
    const seen = await this.#run.ask(() => this.#request(characters));
    this.#last = seen;
    return seen;
  }

  async accepts(characters: string): Promise<boolean> {
    const seen = await this.ask(characters);
    const isAccepted = seen.outcome !== undefined;
    if (!isAccepted) this.rejection = seen;
    return isAccepted;
  }

  /** Ids are those of new groups, names those of a group that exists, if it can have another one. */
  #request(characters: string): Sent {
    const body = this.#run.newBody();
    // White space at the end has a row of its own.
    const text = `${String(body[this.#field])}${characters}z`;
    const isNewGroup = this.#field === "user_group_id" || needsNewGroup(this.#run);
    const others = isNewGroup ? body : this.#run.bodyOf("F");
    return this.#run.get({ ...others, [this.#field]: text });
  }

  async searchAll(): Promise<void> {
    if (await this.accepts(otherCharacters)) this.#accepted.push("other");
    let longest = otherCharacters.length;
    const tried = this.#field === "name" ? `A${allSigns}` : allSigns;
    for (let from = 0; from < tried.length; from += this.#room) {
      const chunk = tried.slice(from, from + this.#room);
      if (await this.accepts(chunk)) this.#accepted.push(...[...chunk].map(asWord));
      else {
        longest = Math.max(chunk.length, longest);
        await this.#tryUsual(chunk);
      }
    }
    if (this.rejection === undefined) return;
    await this.#control(longest, this.rejection);
    await this.#tryUnusual(this.rejection);
  }

  async #tryUnusual(rejection: Seen): Promise<void> {
    for (const group of unusualSigns) {
      const signs = [...group].filter((sign) => !usualSigns[this.#field].includes(sign));
      const isAccepted = signs.length <= this.#room && (await this.accepts(signs.join("")));
      if (isAccepted) this.#accepted.push(...signs);
    }
    this.rejection = rejection;
  }

  /** The usual signs of a text that was rejected: all of them, and then halves of what was rejected. */
  async #tryUsual(chunk: string): Promise<void> {
    const usual = [...usualSigns[this.#field]].filter((sign) => chunk.includes(sign));
    const known = usual.filter((sign) => this.#isInAll(sign));
    this.#accepted.push(...known.map(asWord));
    await this.#tryHalves(usual.filter((sign) => !known.includes(sign)));
  }

  async #tryHalves(signs: readonly string[]): Promise<void> {
    if (signs.length === 0) return;
    if (await this.accepts(signs.join(""))) {
      this.#accepted.push(...signs.map(asWord));
      return;
    }
    if (signs.length === 1) return;
    const middle = Math.ceil(signs.length / 2);
    await this.#tryHalves(signs.slice(0, middle));
    await this.#tryHalves(signs.slice(middle));
  }

  /** Whether every id or name of the run has it. */
  #isInAll(sign: string): boolean {
    return String(this.#run.bodyOf("F")[this.#field]).slice(0, -1).includes(sign);
  }

  /** How many characters fit into the longest text, beside those that make it different from all others. */
  get #room(): number {
    const over = this.#run.seen.get(`${this.#field}: long`)?.limit?.over ?? Infinity;
    const own = String(this.#run.newBody()[this.#field]).length + 1;
    return Math.max(1, Math.min(mostAtOnce, over - own));
  }

  /** Letters in the length of the signs that were rejected have to be accepted. */
  async #control(length: number, rejection: Seen): Promise<void> {
    if (!(await this.accepts(letters(length)))) throw new NotAsked("texts of this length are rejected");
    this.rejection = rejection;
  }

  /** Where one was rejected, what nobody tried counts as rejected. */
  result(): Seen {
    if (this.#last === undefined) throw new NotAsked("no character was tried");
    if (this.rejection === undefined) return this.#last;
    const takesCapitals = this.#run.outcome("user_group_id: capitals") !== "rejected";
    const capitals = this.#field === "user_group_id" && takesCapitals ? ["A-Z"] : [];
    const words = [...capitals, "a-z", "0-9", ...this.#accepted];
    return { ...this.rejection, outcome: undefined, limit: { characters: words.join(" ") } };
  }
}

/** A name with all characters that are tried. */
export function nameWithSigns({ groups }: VerifyRun): string {
  return `${groups.newName()}${allSigns}${otherCharacters}z`;
}
