/** What the document leaves open and a switch would make no sense for: decided once, and said. */
export const decisions: readonly { readonly decided: string; readonly why: string }[] = [
  {
    decided: "`user_group_id` and `current_token` are required.",
    why: "Without them there is no group to speak of.",
  },
  {
    decided: "The API token is checked before the body is read.",
    why: "What nobody may do needs no further look.",
  },
  {
    decided: "One API token belongs to one team; a team can have several.",
    why: "An answer carries one `team_id`.",
  },
  {
    decided:
      "Ids are compared character by character: no case folding, no trimming, no Unicode normalisation.",
    why: "It is the caller's own id, kept as sent.",
  },
  {
    decided: "An id with NUL or half a surrogate pair is refused.",
    why: "Neither survives every database and every JSON parser, so that no real id has one.",
  },
  {
    decided: "`null` is not the same as left out: it is refused where a string or an object is asked for.",
    why: "The document gives a type to every field.",
  },
  {
    decided: "Of a key that is sent twice the last one counts.",
    why: "It is what most JSON parsers do.",
  },
  {
    decided:
      "Where an update is assumed, `mapping` and `properties` are replaced whole, and what is not sent stays.",
    why: "Merging cannot take a key away.",
  },
  {
    decided: "Looking a group up never changes its token.",
    why: "Rotation is an operation of its own.",
  },
  {
    decided: "Tokens are 64 lower-case hex characters.",
    why: "The document shows text and no format; this one is easy to recognise in a log.",
  },
  {
    decided: "A body is at most 100 kB (`--body-limit`) of UTF-8 and nests at most 100 levels.",
    why: "Something has to end a run-away caller.",
  },
  {
    decided: "The query string means nothing; HEAD, PUT, PATCH and DELETE are refused with 405.",
    why: "The document shows neither.",
  },
  {
    decided: "A call that fails changes nothing.",
    why: "It is what a caller that tries again relies on.",
  },
];

/** What the document says "not shown" of and the fake leaves out. */
export const notModelled: readonly string[] = [
  "events",
  "versioning",
  "rate limits and time-outs of the service",
  "listing, changing and deleting groups",
  "issuing API tokens",
  "the dashboards that a token opens",
];
