// The list of schemas/. The tables of the code read it, so it does not depend on what these write into a schema.
import { readdirSync } from "node:fs";

export const folder = new URL("../../schemas/", import.meta.url);
export const files = readdirSync(folder).sort();
/** The schema of the config file and of the options of `startMock`. */
export const configFile = "config.json";
/** Not the shapes of a request or response. */
export const ofFiles = [configFile, "profile.json"];
export const banner = "// Made from schemas/ by `npm run generate`. Change the schemas, not this file.";

export function shippedSchemas() {
  const shapes = files.filter((file) => !ofFiles.includes(file));
  const imports = shapes.map((file, i) => `import s${i} from "../../schemas/${file}" with { type: "json" };`);
  const members = shapes.map((file, i) => `  ${JSON.stringify(file)}: s${i},`);
  return `${banner}\n${imports.join("\n")}\n
/** Every schema of \`schemas/\` by file name, except those of the config file and of profiles. */
export const shippedSchemas = {\n${members.join("\n")}\n} as const;\n
export type SchemaFile = keyof typeof shippedSchemas;\n`;
}
