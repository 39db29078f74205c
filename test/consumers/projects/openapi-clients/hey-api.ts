import { client } from "./client/client.gen.js";
import { armFault, releaseFault, rotate, waitForRequests } from "./client/sdk.gen.js";

const [baseUrl = "", current_token = ""] = process.argv.slice(2);
client.setConfig({ baseUrl });
const admin = { headers: { Authorization: "Bearer open-sesame" } };

const { data: fault } = await armFault({ ...admin, body: { operation: "rotate", hold: true } });
if (fault === undefined) throw new Error("The fault was rejected.");
const rotating = rotate({ headers: { Authorization: "Token test-api-token" }, body: { current_token } });
await waitForRequests({ ...admin, body: { match: { current_token } } });
await releaseFault({ ...admin, path: { id: fault.id } });
const { data: rotated } = await rotating;
if (rotated?.success === 1) console.log("rotated after release");
