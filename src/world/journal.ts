/** What a world was asked and what it answered. */
export class Journal {
  #lastId = 0;

  /** The id of the call that has just begun: counted from 1, without a gap. */
  open(): number {
    return ++this.#lastId;
  }
}
