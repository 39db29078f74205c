const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
  /** How many different field names: V8 stores each of them once, and that takes time. */
  readonly maxNames: number;
}

/**
 * Which limit some JSON passes, if any. It looks at the bytes alone: parsing 10 MB of brackets or of field names
 * takes seconds and gigabytes. Bytes that are not JSON do no harm; the parser refuses them later.
 */
export function passedLimit(bytes: Uint8Array, limits: JsonLimits): keyof JsonLimits | undefined {
  // A level takes two bytes, a value one and a comma: most bodies need no look.
  if (bytes.length <= 2 * limits.maxDepth) return undefined;
  // A name takes four bytes or more, with its quotes, its colon and its value.
  const names = bytes.length > 4 * limits.maxNames ? new NameCounter() : undefined;
  let depth = 0;
  let values = 1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      let hash = 0;
      for (i++; i < bytes.length && bytes[i] !== quote; i++) {
        if (bytes[i] === backslash) i++;
        hash = (Math.imul(hash, 31) + (bytes[i] ?? 0)) | 0;
      }
      if (names === undefined) continue;
      while (isBlank(bytes[i + 1])) i++;
      if (bytes[i + 1] === colon && names.add(hash) > limits.maxNames) return "maxNames";
    } else if (byte === openArray || byte === openObject) {
      if (++depth > limits.maxDepth) return "maxDepth";
      values++;
    } else if (byte === closeArray || byte === closeObject) {
      depth--;
    } else if (byte === comma) {
      values++;
    }
    if (values > limits.maxValues) return "maxValues";
  }
  return undefined;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Counts different hashes, a little too few: two names may share a bit. */
class NameCounter {
  readonly #bits = new Uint32Array(32_768);
  #count = 0;

  add(hash: number): number {
    const bit = (hash ^ (hash >>> 12)) & 0xf_ffff;
    const index = bit >>> 5;
    const mask = 1 << (bit & 31);
    const word = this.#bits[index] ?? 0;
    if ((word & mask) === 0) this.#count++;
    this.#bits[index] = word | mask;
    return this.#count;
  }
}
