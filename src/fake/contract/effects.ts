import type { Effect } from "../../generated/types.js";

interface EffectInWorld {
  /** What happened in the world. */
  readonly was: string;
  /** What happened before something else. */
  readonly hadBeen: string;
  /** What a client without the response does not know. */
  readonly unseen?: string;
}

/** What a request can do in the world. */
export const effects: Readonly<Record<Effect, EffectInWorld>> = {
  created: { ...effectTexts("the group", "created"), unseen: "the client never saw its token" },
  found: effectTexts("the group", "found"),
  updated: effectTexts("the group", "updated"),
  rotated: { ...effectTexts("the token", "rotated"), unseen: "the client never saw the new token" },
  none: { was: "the request had no effect", hadBeen: "the request had been rejected" },
};

function effectTexts(what: string, done: string): EffectInWorld {
  return { was: `${what} was ${done}`, hadBeen: `${what} had been ${done}` };
}
