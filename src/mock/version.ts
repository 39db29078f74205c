import packageJson from "../../package.json" with { type: "json" };

/** Of this package. */
export const { version } = packageJson;
