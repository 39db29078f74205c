// Made from option-table.ts by `npm run generate`. Change the table, not this file.
import type { Fixture } from "../contract/types.js";
import type { AssumptionChoice } from "../service/assumptions.js";
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
  /** JSON file with an object of assumptions, as verify --out writes it; assume beats it. */
  assumeFile?: string;
  /** Text that tokens are derived from; random makes them unpredictable. Default: usergroup-mock. */
  seed?: string;
  /**
   * Largest body of a call, at most 80mb. Default: 100kb.
   * @example bodyLimit: "1mb"
   */
  bodyLimit?: number | string;
  /** Calls that the journal of a world keeps. Default: 1000. */
  journalSize?: number;
  /** Worlds that there can be. Default: 10000. */
  maxWorlds?: number;
  /** Further host name to answer to, such as that of a container; may be repeated. */
  allowHost?: string | readonly string[];
  /** Token that the admin API then asks for, as Authorization: Bearer. */
  adminToken?: string;
  /** Certificate file (PEM), to speak HTTPS. */
  tlsCert?: string;
  /** Key file (PEM) of the certificate. */
  tlsKey?: string;
  /** File to write the URL into once it listens; removed at the start and at the end. */
  readyFile?: string;
  /** HTML file to write the report of all worlds to when the mock stops. */
  report?: string;
  /** End when standard input closes. Default: off. */
  exitWithParent?: boolean;
  /** One line a call: pretty, json or silent. Default: silent. */
  log?: LogStyle;
  /** JSON file with any of these options; what is given beside it wins. */
  config?: string;
}
