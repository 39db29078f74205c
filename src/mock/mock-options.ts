// Made from the tables of options and assumptions by `npm run generate`. Change the tables, not this file.
import type { Fixture } from "../contract/types.js";
import type { LogStyle } from "./option-kinds.js";

/**
 * How a fake is started. Everything may be left out.
 * @example const options: MockOptions = { fixtures: "test/groups.json", assume: { "old-token": "accepted" } };
 */
export interface MockOptions {
  /** Port to listen on; 0 takes a free one. Default: a free one. */
  port?: number;
  /** Address to listen on. Default: 127.0.0.1. */
  host?: string;
  /**
   * Files, folders of files, or fixtures as objects: together they are the seed. Default: the shipped one.
   * @example fixtures: ["test/fixtures", { teams: [{ team_id: 9, api_tokens: ["t9"] }] }]
   */
  fixtures?: string | Fixture | readonly (string | Fixture)[];
  /** Folder of stricter JSON Schemas, added to the shipped ones by file name. Default: the shipped ones. */
  schemas?: string;
  /**
   * Assumptions about the service to change.
   * @example assume: { "old-token": "accepted" }
   */
  assume?: AssumptionChoice;
  /** JSON file of assumptions, as written by verify --out; assume overrides it. */
  assumeFile?: string;
  /** Text that tokens are derived from; random makes them unpredictable. Default: usergroup-mock. */
  seed?: string;
  /**
   * Largest body of a call, at most 80mb. Default: 100kb.
   * @example bodyLimit: "1mb"
   */
  bodyLimit?: number | string;
  /** Largest number of calls in the journal of a world. Default: 1000. */
  journalSize?: number;
  /** Largest number of worlds. Default: 10000. */
  maxWorlds?: number;
  /** Another host name to answer to, such as that of a container; may be repeated. */
  allowHost?: string | readonly string[];
  /** Token that the admin API requires, as Authorization: Bearer. */
  adminToken?: string;
  /** Certificate file (PEM) for HTTPS. */
  tlsCert?: string;
  /** Private key file (PEM) of the certificate. */
  tlsKey?: string;
  /** File to write the URL to when the mock is ready; removed at the start and at the end. */
  readyFile?: string;
  /** HTML file to write the report of all worlds to when the mock stops. */
  report?: string;
  /** End when standard input closes. Default: off. */
  exitWithParent?: boolean;
  /** One line per call: pretty, json or silent. Default: silent. */
  log?: LogStyle;
  /** JSON file with any of these options; options that you pass in code override it. */
  config?: string;
}

/**
 * Values for some of the assumptions about the service.
 * @example await mock.assume({ "old-token": "accepted" });
 */
export type AssumptionChoice = {
  /**
   * Which API tokens are accepted?
   *
   * - `listed` (default): the tokens that a fixture lists
   * - `any`: every token; one that no fixture lists belongs to the first team
   */
  "api-tokens"?: "listed" | "any";
  /**
   * Does the case of the word Token matter?
   *
   * - `exact` (default): only Token
   * - `any-case`: token and TOKEN too
   */
  "auth-scheme"?: "exact" | "any-case";
  /**
   * Is user_group_id unique within a team or across all teams?
   *
   * - `per-team` (default): two teams can each have a group with the same id
   * - `global`: every team finds the same group
   */
  "group-scope"?: "per-team" | "global";
  /**
   * Can a group be created without a name?
   *
   * - `required` (default): no, the call fails
   * - `defaults-to-id`: yes, its name is its user_group_id
   */
  "name-on-create"?: "required" | "defaults-to-id";
  /**
   * What do name, mapping and properties do to a group that exists?
   *
   * - `unchanged` (default): nothing
   * - `updated`: the fields that are sent replace those of the group
   */
  "existing-group"?: "unchanged" | "updated";
  /**
   * HTTP status when a group was created
   *
   * - `200` (default): 200, as for a group that existed
   * - `201`: 201 Created
   */
  "created-status"?: "200" | "201";
  /**
   * Does rotation give another token?
   *
   * - `new` (default): yes
   * - `same`: no, the group keeps its token
   */
  "rotated-token"?: "new" | "same";
  /**
   * Does an old token (rotated before) still work in a rotation?
   *
   * - `rejected` (default): no, the call fails
   * - `accepted`: yes
   */
  "old-token"?: "rejected" | "accepted";
  /**
   * May a team rotate the token of another team's group?
   *
   * - `rejected` (default): no, as if the token were unknown
   * - `accepted`: yes
   */
  "foreign-token"?: "rejected" | "accepted";
  /**
   * HTTP status of a failed call to /api/user
   *
   * - `by-kind` (default): the status that fits the failure: 400, 401, 404 …
   * - `always-200`: 200
   */
  "failure-status"?: "by-kind" | "always-200";
  /**
   * What does a failed call answer besides success: 0?
   *
   * - `error-object` (default): error, with code, message and details
   * - `message`: message, a string
   * - `bare`: nothing
   */
  "failure-body"?: "error-object" | "message" | "bare";
  /**
   * Body fields that the document does not list
   *
   * - `ignored` (default): have no effect; the journal notes them
   * - `rejected`: fail the call
   */
  "unknown-fields"?: "ignored" | "rejected";
  /**
   * Mapping values that are not strings
   *
   * - `rejected` (default): fail the call
   * - `accepted`: are kept as sent
   */
  "mapping-values"?: "rejected" | "accepted";
  /**
   * user_group_id sent as a number
   *
   * - `rejected` (default): fails the call
   * - `coerced`: is converted to its decimal text
   */
  "numeric-ids"?: "rejected" | "coerced";
  /**
   * Empty user_group_id, name, current_token
   *
   * - `rejected` (default): fail the call
   * - `accepted`: are accepted as they are
   */
  "empty-strings"?: "rejected" | "accepted";
  /**
   * JSON without Content-Type: application/json
   *
   * - `rejected` (default): fails the call
   * - `accepted`: is parsed anyway
   */
  "content-type"?: "rejected" | "accepted";
  /**
   * /api/user/
   *
   * - `rejected` (default): is not a path of the service
   * - `accepted`: is the same as /api/user
   */
  "trailing-slash"?: "rejected" | "accepted";
  /**
   * POST /videos, the path in the heading of the rotate entry
   *
   * - `absent` (default): is not a path of the service
   * - `rotates`: rotates, as POST /api/user does
   */
  "videos-path"?: "absent" | "rotates";
};
