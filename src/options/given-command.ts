/** What a command line has given to a command. */
export interface GivenCommand {
  readonly serverFlags: Readonly<Record<string, unknown>>;
  /** The command after `--`, with its arguments. */
  readonly argv: readonly string[];
}
