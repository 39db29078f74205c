// A worker of the product: renews one token in a process of its own. Its parent reads the exit code and standard error.
import { GroupClient } from "./group-client.mjs";

const [, , token] = process.argv;
const client = new GroupClient({ url: process.env.GROUPS_URL, apiToken: process.env.GROUPS_TOKEN });
const { status, json } = await client.send("POST", { current_token: token });
if (status >= 400) {
  console.error(`${json.error.code}: ${json.error.message}`);
  process.exitCode = 1;
}
