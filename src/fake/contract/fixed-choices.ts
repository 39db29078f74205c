/** What the document leaves open and no option changes, except where a situation says so, by name. The docs list it, and a test shows each one. */
export const fixedChoices = {
  operations: "OPTIONS gets 204. HEAD, PUT, PATCH, DELETE and others get 405, other paths 404.",
  versions: "There is one version of the interface.",
  events: "The service sends nothing on its own.",
  limits: "There is no rate limit, and no time limit.",
  body: "A body must be UTF-8, at most 100 kB (`--body-limit`), and nested at most 100 levels deep. gzip, deflate and br are decoded.",
  "required-fields":
    "`user_group_id` and `current_token` are required. `mapping` and `properties` are optional objects.",
  null: "`null` is rejected where a string or an object is expected.",
  "equal-keys": "If a key is sent twice, the last value is used.",
  ids: "Unicode is not normalised. An id with a NUL character or an unpaired surrogate is rejected.",
  "existing-group": "A group that exists is found by its `user_group_id` alone.",
  updates: "A field that is not sent stays as it is.",
  mapping: "`mapping` is not compared with data sources: any schema id and any text are accepted.",
  properties: "`properties` can have any JSON values.",
  filename: "`filename` in a rotation must be a string, and has no effect.",
  "query-string": "The query string is ignored.",
  tokens:
    "Only a rotation changes a token. Tokens are 64 lower-case hex characters, unless a fixture has others.",
  "api-tokens":
    "The API token is checked first, once the body has arrived. It belongs to one team; a team can have several.",
  "kinds-of-tokens": "An API token is not valid as `current_token`, nor a group's token as API token.",
  rejections: "A request that is rejected changes nothing.",
} as const;
