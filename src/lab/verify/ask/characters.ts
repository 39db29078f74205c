import type { Sent } from "../service/exchanges.js";
import { BudgetEnded, NotAsked } from "../service/not-asked.js";
import { letters, type TextField } from "./lengths.js";
import { needsNewGroup } from "./name-checks.js";
import type { Seen, VerifyRun } from "./run.js";

/** Characters that are asked in one text, and their words in a profile. */
interface SignGroup {
  readonly characters: string;
  readonly words: readonly string[];
}

/** What is not ASCII, and control characters: where one kind is rejected, those after it count as rejected. */
const characterKinds: readonly SignGroup[] = [
  { characters: "éß群", words: ["letters"] },
  { characters: "😀€\u0301", words: ["symbols"] },
  { characters: "\u00a0\u200b", words: ["invisible"] },
  { characters: "\t\n\u007f", words: ["control"] },
];

const signs = (characters: string): SignGroup => ({
  characters,
  words: [...characters].map(asWord),
});

function asWord(sign: string): string {
  return { A: "A-Z", 4: "0-9", " ": "space" }[sign] ?? sign;
}

/** Signs that ids and names usually have, those first that most have, and A for the capitals. */
const usual: Readonly<Record<TextField, readonly SignGroup[]>> = {
  user_group_id: [..."-_.:@/+=| "].map(signs),
  name: [..."A -.'&,_", "()", "/", "@", "+:!"].map(signs),
};

/** All signs, as services forbid them together. */
const unusual = ["!?,", ";", "#$%&*^~", "()[]", "{}", "<>", "'\"`", "\\", "+/=|", ".:@_-"];

/** The signs of the unusual groups that are not usual in a field. */
function unusualOf(field: TextField): SignGroup[] {
  const known = textOf(usual[field]);
  const others = unusual.map((text) => [...text].filter((sign) => !known.includes(sign)).join(""));
  return others.filter((text) => text !== "").map(signs);
}

function textOf(parts: readonly SignGroup[]): string {
  return parts.map(({ characters }) => characters).join("");
}

/** A name with all characters that are tried. */
export function nameWithSigns({ groups }: VerifyRun): string {
  return `${groups.newName()}${textOf([...usual.name, ...unusualOf("name"), ...characterKinds])}z`;
}

/** A name with what a list does not have. */
export function nameWithUnlisted(run: VerifyRun, characters: string): string {
  return `${run.groups.newName()}${new CharacterSearch(run, "name").unlisted(characters)}z`;
}

/** Signs that some services accept in an id, but not at its beginning, and a digit. */
const firstSigns = "_-.4";

/** With which characters an id may begin. Where one was rejected, all that nobody tried are. */
export async function findFirstCharacters(run: VerifyRun): Promise<Seen> {
  const listed = run.seen.get("user_group_id: characters")?.limit?.characters?.split(" ");
  const known = run.isLight ? run.expected?.["user_group_id: first character"] : undefined;
  const before = Object(known).characters?.split(" ");
  const isOpen = (sign: string) =>
    !before?.includes(asWord(sign)) && (listed === undefined || listed.includes(asWord(sign)));
  const accepted: string[] = [];
  let last: Seen | undefined;
  let rejection: Seen | undefined;
  for (const sign of [...firstSigns].filter(isOpen)) {
    last = await run.ask(() => run.get({ ...run.newBody(), user_group_id: `${sign}${run.groups.newId()}` }));
    if (last.outcome === undefined) rejection = last;
    else accepted.push(asWord(sign));
  }
  if (last === undefined) throw new NotAsked("an id with another sign at its beginning");
  if (rejection === undefined) return last;
  const capitals = run.outcome("user_group_id: capitals") === "rejected" ? [] : ["A-Z"];
  const characters = before ?? [...capitals, "a-z", ...accepted];
  return { ...rejection, outcome: undefined, limit: { characters: characters.join(" ") } };
}

/**
 * Which characters a text may have. Where one was rejected, only those are in the list that were accepted: what nobody
 * tried counts as rejected.
 */
export async function findCharacters(run: VerifyRun, field: TextField): Promise<Seen> {
  const search = new CharacterSearch(run, field);
  const known = run.isLight ? run.expected?.[`${field}: characters`] : undefined;
  if (typeof known === "object" && known.characters !== undefined) {
    const seen = await search.ask(search.unlisted(known.characters));
    if (seen.outcome === undefined) return { ...seen, limit: { characters: known.characters } };
  }
  try {
    return await search.searchAll();
  } catch (error) {
    // What was accepted counts.
    if (!(error instanceof BudgetEnded) || search.rejection === undefined) throw error;
    return search.result(search.rejection);
  }
}

class CharacterSearch {
  readonly #run: VerifyRun;
  readonly #field: TextField;
  /** An id or a name of the run. */
  readonly #own: string;
  /** So many characters fit into a text, beside those that make it different from all others. */
  readonly #room: number;
  readonly #accepted: string[] = [];
  #longest = 0;
  /** The last request that was rejected for its characters. */
  rejection: Seen | undefined;

  constructor(run: VerifyRun, field: TextField) {
    this.#run = run;
    this.#field = field;
    const over = run.seen.get(`${field}: long`)?.limit?.over ?? Infinity;
    this.#own = run.usualText(field);
    this.#room = over - this.#own.length - 1;
    if (this.#room < 2) throw new NotAsked("texts have no room for characters");
  }

  /** What a list does not have, as much of it as fits into a text. */
  unlisted(characters: string): string {
    const words = characters.split(" ");
    const listed = words.includes("other") ? [...words, ...notAscii] : words;
    const unlisted = this.#fitting([...characterKinds, ...unusual.map(signs)]).filter(
      (part) => !part.words.every((word) => listed.includes(word)),
    );
    return [...textOf(unlisted)].slice(0, Math.max(2, this.#room / 2)).join("");
  }

  /** Asks with ids of new groups, and with names of a group that exists, if it can have another one. */
  ask(characters: string): Promise<Seen> {
    return this.#run.ask((): Sent => {
      const body = this.#run.newBody();
      // White space at the end has a row of its own.
      const text = `${String(body[this.#field])}${characters}z`;
      const isNewGroup = this.#field === "user_group_id" || needsNewGroup(this.#run);
      return this.#run.get({ ...(isNewGroup ? body : this.#run.bodyOf("D")), [this.#field]: text });
    });
  }

  async searchAll(): Promise<Seen> {
    const [own, others] = [this.#fitting(usual[this.#field]), this.#fitting(unusualOf(this.#field))];
    const all = textOf([...own, ...others, ...characterKinds]);
    const first = all.length > this.#room ? undefined : await this.ask(all);
    if (first?.outcome !== undefined) return first;
    this.#accepted.push(...profileWords(own.filter(({ characters }) => this.#own.includes(characters))));
    if (!(await this.#acceptsAll(characterKinds)))
      for (const kind of characterKinds) if (!(await this.#accepts(this.#fitting([kind]).slice(0, 1)))) break;
    // Where symbols are accepted, the service has a list of what it rejects. Otherwise it has one of what it accepts.
    if (this.#accepted.includes("symbols")) {
      await this.#tryHalves(own);
      await this.#tryHalves(others);
    } else {
      for (const sign of own) if (!this.#own.includes(sign.characters)) await this.#accepts([sign]);
      await this.#acceptsAll(others);
    }
    const { rejection } = this;
    // Letters of the same length have to be accepted.
    const control = await this.ask(letters(this.#longest));
    if (rejection === undefined) return control;
    if (control.outcome === undefined) throw new NotAsked("texts of this length are rejected");
    return this.result(rejection);
  }

  /** Parts that are not too long. */
  #fitting(parts: readonly SignGroup[]): SignGroup[] {
    return parts.flatMap((part) => {
      if (part.characters.length <= this.#room) return [part];
      const { words } = part;
      return [...part.characters].map((characters, n) => ({
        characters,
        words: [words[n] ?? words[0] ?? ""],
      }));
    });
  }

  /** Also false if they do not fit into one text. */
  async #acceptsAll(parts: readonly SignGroup[]): Promise<boolean> {
    return textOf(parts).length <= this.#room && (await this.#accepts(parts));
  }

  async #tryHalves(parts: readonly SignGroup[]): Promise<void> {
    if ((await this.#acceptsAll(parts)) || parts.length === 1) return;
    const middle = Math.ceil(parts.length / 2);
    await this.#tryHalves(parts.slice(0, middle));
    await this.#tryHalves(parts.slice(middle));
  }

  async #accepts(parts: readonly SignGroup[]): Promise<boolean> {
    const text = textOf(parts);
    const seen = await this.ask(text);
    if (seen.outcome !== undefined) this.#accepted.push(...profileWords(parts));
    else {
      this.rejection = seen;
      this.#longest = Math.max(text.length, this.#longest);
    }
    return seen.outcome !== undefined;
  }

  result(rejection: Seen): Seen {
    const isId = this.#field === "user_group_id";
    const capitals = isId && this.#run.outcome("user_group_id: capitals") !== "rejected" ? ["A-Z"] : [];
    const isAnyOther = notAscii.every((word) => this.#accepted.includes(word));
    const accepted = new Set(this.#accepted);
    if (isAnyOther) for (const word of notAscii) accepted.delete(word);
    const characters = [...capitals, "a-z", "0-9", ...accepted, ...(isAnyOther ? ["other"] : [])].join(" ");
    return { ...rejection, outcome: undefined, limit: { characters } };
  }
}

const notAscii = ["letters", "symbols", "invisible"];

function profileWords(parts: readonly SignGroup[]): string[] {
  return parts.flatMap(({ words }) => words);
}
