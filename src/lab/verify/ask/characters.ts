import { characterFinder } from "../../../fake/contract/profile.js";
import { BudgetEnded, NotAsked } from "../service/not-asked.js";
import { letters, type TextField } from "./lengths.js";
import { needsNewGroup } from "./question.js";
import type { Seen, VerifyRun } from "./run.js";

/**
 * Letters, symbols, invisible characters, and control characters, each kind in one text: where one is rejected, those
 * after it count as rejected.
 */
const characterKinds = ["éß群", "😀€\u0301", "\u00a0\u200b", "\t\n\u007f"];

/** Signs that ids and names usually have, those first that most have, and A for the capitals. */
const usual: Readonly<Record<TextField, readonly string[]>> = {
  user_group_id: [..."-_.:@/+=| "],
  name: [..."A -.'&,_", "()", "/", "@", "+:!"],
};

/** All signs, as services forbid them together, and those last that most services forbid. */
const allSigns = ["!?,", "#$%&*^~", "+/=|", ".:@_-", "()[]", "{}", "\\", "'\"`", "<>", ";"];

/** Those that are not usual in a field. */
function unusualIn(field: TextField): string[] {
  const known = usual[field].join("");
  const others = allSigns.map((text) => [...text].filter((sign) => !known.includes(sign)).join(""));
  return others.filter((text) => text !== "");
}

/** The words of a profile for the characters of a text. */
function profileWords(text: string): Set<string> {
  return new Set([...text].map(profileWord));
}

function profileWord(sign: string): string {
  if (sign === " ") return "space";
  if (/[A-Z]/.test(sign)) return "A-Z";
  if (/[a-z]/.test(sign)) return "a-z";
  if (/[0-9]/.test(sign)) return "0-9";
  if (/[!-~]/.test(sign)) return sign;
  if (sign <= "\u007f") return "control";
  if (/\p{L}/u.test(sign)) return "letters";
  return /[\p{Z}\p{C}]/u.test(sign) ? "invisible" : "symbols";
}

/** A name with all characters that are tried. */
export function nameWithSigns({ groups }: VerifyRun): string {
  return `${groups.newName()}${[...usual.name, ...unusualIn("name"), ...characterKinds].join("")}z`;
}

/** A digit, and signs that some services accept in an id, but not at its beginning. */
const firstSigns = "4_-.";

/** With which characters an id may begin. Where one was rejected, all that nobody tried are. */
export async function findFirstCharacters(run: VerifyRun): Promise<Seen> {
  const listed = run.seen.get("user_group_id: characters")?.limit?.characters?.split(" ");
  const before = run.limitInFile("user_group_id: first character").characters?.split(" ");
  const isOpen = (sign: string) =>
    !before?.includes(profileWord(sign)) && (listed === undefined || listed.includes(profileWord(sign)));
  const accepted: string[] = [];
  let last: Seen | undefined;
  let rejection: Seen | undefined;
  try {
    for (const sign of [...firstSigns].filter(isOpen)) {
      last = await run.ask(() =>
        run.get({ ...run.newBody(), user_group_id: `${sign}${run.groups.newId()}` }),
      );
      if (last.outcome === undefined) rejection = last;
      else accepted.push(profileWord(sign));
    }
  } catch (error) {
    // What was seen counts.
    if (!(error instanceof BudgetEnded) || last === undefined) throw error;
  }
  if (last === undefined) throw new NotAsked("nothing to ask", "an id with another sign at its beginning");
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
  const { characters } = run.limitInFile(`${field}: characters`);
  if (characters !== undefined) {
    const seen = await search.ask(search.unlisted(characters));
    if (seen.outcome === undefined) return { ...seen, limit: { characters } };
  }
  try {
    return await search.searchAll();
  } catch (error) {
    // What was accepted counts.
    if (!(error instanceof BudgetEnded) || search.rejection === undefined) throw error;
    return search.result(search.rejection);
  }
}

/** Asks with ids of new groups, and with names of a group that exists, if it can have another one. */
class CharacterSearch {
  readonly #run: VerifyRun;
  readonly #field: TextField;
  /** So many characters fit into a text, beside those that make it different from all others. */
  readonly #room: number;
  /** The words of what was accepted. */
  readonly #accepted: Set<string>;
  #longest = 0;
  /** The last request that was rejected for its characters. */
  rejection: Seen | undefined;

  constructor(run: VerifyRun, field: TextField) {
    this.#run = run;
    this.#field = field;
    const over = run.seen.get(`${field}: long`)?.limit?.over ?? Infinity;
    const own = run.usualText(field);
    this.#accepted = profileWords(own);
    this.#room = over - own.length - 1;
    if (this.#room < 2) throw new NotAsked("nothing to ask", "texts have no room for characters");
  }

  /** What a list does not have, as much of it as fits into a text. */
  unlisted(characters: string): string {
    const findWrong = characterFinder(characters);
    const wrong = [...characterKinds, ...allSigns].flatMap((text) =>
      [...text].filter((sign) => findWrong(sign)),
    );
    return wrong.slice(0, Math.max(2, this.#room / 2)).join("");
  }

  ask(characters: string): Promise<Seen> {
    return this.#run.ask(() => {
      const body = this.#run.newBody();
      // White space at the end has a row of its own.
      const text = `${String(body[this.#field])}${characters}z`;
      const isOfNew = this.#field === "user_group_id" || needsNewGroup(this.#run);
      return this.#run.get({ ...(isOfNew ? body : this.#run.bodyOf("D")), [this.#field]: text });
    });
  }

  async searchAll(): Promise<Seen> {
    const [own, others] = [this.#fitting(usual[this.#field]), this.#fitting(unusualIn(this.#field))];
    const all = [...own, ...others, ...characterKinds].join("");
    const first = all.length > this.#room ? undefined : await this.ask(all);
    if (first?.outcome !== undefined) return first;
    if (!(await this.#acceptsAll(characterKinds)))
      for (const kind of characterKinds) if (!(await this.#accepts(this.#fitting([kind])[0] ?? kind))) break;
    // Where symbols are accepted, the service has a list of what it rejects. Otherwise it has one of what it accepts.
    if (this.#accepted.has("symbols")) {
      await this.#tryHalves(own);
      await this.#tryHalves(others);
    } else {
      for (const part of own) if (!this.#isKnown(part)) await this.#accepts(part);
      await this.#acceptsAll(others);
    }
    const { rejection } = this;
    // Letters of the same length have to be accepted.
    const control = await this.ask(letters(this.#longest));
    if (rejection === undefined) return control;
    if (control.outcome === undefined)
      throw new NotAsked("nothing to ask", "texts of this length are rejected");
    return this.result(rejection);
  }

  #isKnown(text: string): boolean {
    return [...profileWords(text)].every((word) => this.#accepted.has(word));
  }

  /** Parts that are not too long. */
  #fitting(parts: readonly string[]): string[] {
    return parts.flatMap((part) => (part.length <= this.#room ? [part] : [...part]));
  }

  /** Also false if they do not fit into one text. */
  async #acceptsAll(parts: readonly string[]): Promise<boolean> {
    const text = parts.join("");
    return text.length <= this.#room && (await this.#accepts(text));
  }

  async #tryHalves(parts: readonly string[]): Promise<void> {
    if ((await this.#acceptsAll(parts)) || parts.length === 1) return;
    const middle = Math.ceil(parts.length / 2);
    await this.#tryHalves(parts.slice(0, middle));
    await this.#tryHalves(parts.slice(middle));
  }

  async #accepts(text: string): Promise<boolean> {
    const seen = await this.ask(text);
    if (seen.outcome === undefined) {
      this.rejection = seen;
      this.#longest = Math.max(text.length, this.#longest);
      return false;
    }
    for (const word of profileWords(text)) this.#accepted.add(word);
    return true;
  }

  result(rejection: Seen): Seen {
    const words = new Set(this.#accepted);
    const isId = this.#field === "user_group_id";
    if (isId && this.#run.outcome("user_group_id: capitals") !== "rejected") words.add("A-Z");
    const notAscii = ["letters", "symbols", "invisible"];
    if (notAscii.every((word) => words.has(word))) {
      for (const word of notAscii) words.delete(word);
      words.add("other");
    }
    const ranges = ["A-Z", "a-z", "0-9"].filter((word) => words.has(word));
    const characters = [...new Set([...ranges, ...words])].join(" ");
    return { ...rejection, outcome: undefined, limit: { characters } };
  }
}
