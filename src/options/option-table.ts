import config from "../../schemas/config.json" with { type: "json" };

/** `server`: the command line. `embedded`: a mock inside a test run, by `startMock`, `exec` or `explore`. */
export type Use = "server" | "embedded";

/** What the code reads of an option in `schemas/config.json`. */
interface OptionSchema {
  readonly description: string;
  readonly type?: string;
  readonly anyOf?: readonly { readonly type?: string }[];
  readonly default?: unknown;
  /** A secret: messages must not repeat its value. */
  readonly writeOnly?: boolean;
  readonly "x-option"?: {
    /** The heading in help. */
    readonly group?: string;
    /** A flag of one letter. */
    readonly alias?: string;
    /** The description of the flag, if that of the schema does not fit. */
    readonly flagDescription?: string;
    /** Whether it is a path, or a list of paths. */
    readonly isPath?: boolean;
    /** Under `exec` and `explore`, a mock takes it from the run around it if it does not set it itself. */
    readonly isShared?: boolean;
    /** What help and `docs/options.md` show as default, if it is not the value. */
    readonly defaultText?: string;
    /** The default of an embedded mock, if it differs. */
    readonly embedded?: unknown;
  };
}

const { $schema, ...properties } = config.properties;

export type OptionName = keyof typeof properties;

export const optionNames = Object.keys(properties) as readonly OptionName[];

function toOption(schema: OptionSchema) {
  const { type, anyOf, default: server, description, "x-option": extra = {} } = schema;
  const { embedded, flagDescription = description, defaultText = String(server ?? ""), ...others } = extra;
  return {
    schema,
    /** Whether the flag may be repeated. */
    isList: type === "object" || anyOf?.some((one) => one.type === "array") === true,
    defaults: { server, embedded: embedded ?? server },
    /** The defaults, as help and `docs/options.md` show them. */
    defaultTexts: { server: defaultText, embedded: String(embedded ?? defaultText) },
    describe: flagDescription,
    group: "Server:",
    ...others,
  };
}

/** Every option of `schemas/config.json`. Flags, environment, config file, help and `docs/options.md` derive from it. */
export const optionTable = Object.fromEntries(
  optionNames.map((name) => [name, toOption(properties[name])]),
) as Readonly<Record<OptionName, ReturnType<typeof toOption>>>;

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(optionTable, name);
}
