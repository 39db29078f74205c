import type { Fixture } from "../contract/types.js";
import type { AssumptionChoice } from "../service/assumptions.js";

/** How a fake is started. Everything may be left out. */
export interface MockOptions {
  /** Where to listen; 0, the default of `startMock`, takes a free port. */
  port?: number;
  /** The address to listen on. */
  host?: string;
  /**
   * Files, folders of files, or fixtures as objects: together they are the seed.
   * @example fixtures: ["test/fixtures", { teams: [{ team_id: 9, api_tokens: ["t9"] }] }]
   */
  fixtures?: string | Fixture | readonly (string | Fixture)[];
  /** A folder of stricter schemas, laid over the shipped ones by file name. */
  schemas?: string;
  /** @example assume: { "old-token": "accepted" } */
  assume?: AssumptionChoice;
  /** A JSON file with an object of assumptions, as `verify --out` writes it; `assume` beats it. */
  assumeFile?: string;
  /** What tokens are derived from; `random` makes them unpredictable. */
  seed?: string;
  /** The largest body of a call, in bytes or as text. @example bodyLimit: "1mb" */
  bodyLimit?: number | string;
  /** How many calls the journal of a world keeps. */
  journalSize?: number;
  /** How many worlds there can be. */
  maxWorlds?: number;
  /** Further names that the fake answers to, such as that of its container; the others are refused. */
  allowHost?: string | readonly string[];
  /** Then the admin API asks for `Authorization: Bearer` with it. */
  adminToken?: string;
  /** File with the certificate, in PEM: then the fake speaks HTTPS. */
  tlsCert?: string;
  /** File with the certificate's key, in PEM. */
  tlsKey?: string;
  /** A file to write the URL into once the fake listens. */
  readyFile?: string;
  /** Stop when standard input closes, as it does when the parent process ends. */
  exitWithParent?: boolean;
  /** One line a call on standard output: `pretty` for people, `json` for programs, `silent` for none. */
  log?: LogStyle;
  /** A JSON file with any of these options; what is given beside it wins. */
  config?: string;
}

export type LogStyle = "pretty" | "json" | "silent";
