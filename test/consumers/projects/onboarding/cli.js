// node cli.js <id> <name>: creates the group of a tenant.
import { UserGroups } from "./user-groups.js";

// Port 1 has no server.
const { USER_GROUPS_URL: baseUrl = "http://127.0.0.1:1", USER_GROUPS_TOKEN: apiToken } = process.env;
const [, , id, name] = process.argv;
const groups = new UserGroups({ baseUrl, apiToken });
await groups.ensure({ id, name }).catch((error) => {
  console.error(error.message);
  process.exitCode = 3;
});
