// @ts-check
// A minimal Fastify app as the baseline for the gateway's calls.
import { fastify } from "./lib/gateway-modules.mjs";

const app = fastify();
app.get("/api/hello", () => ({ hello: "world" }));
await app.listen({ host: "127.0.0.1", port: 0 });
const address = app.server.address();
process.stdout.write(`ready at http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`);
process.once("SIGTERM", () => void app.close());
