import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [baseUrl = "", current_token = ""] = process.argv.slice(2);
const admin = createClient<paths>({ baseUrl, headers: { Authorization: "Bearer open-sesame" } });
const service = createClient<paths>({ baseUrl, headers: { Authorization: "Token test-api-token" } });

const { data: fault } = await admin.POST("/__admin/faults", { body: { operation: "rotate", hold: true } });
if (fault === undefined) throw new Error("The fault was rejected.");
const rotating = service.POST("/api/user", { body: { current_token } });
await admin.POST("/__admin/requests/wait", { body: { match: { current_token } } });
await admin.POST("/__admin/faults/{id}/release", { params: { path: { id: fault.id } } });
const { data: rotated } = await rotating;
if (rotated?.success === 1) console.log("rotated after release");
