// @ts-check
// A portal with almost no data, to measure the cost of the audit log per call. `WITHOUT_AUDIT=1` turns the log off.
import { register } from "node:module";
import { demoPassword } from "@fairway/contract/api";

if (process.env["WITHOUT_AUDIT"] === "1") {
  const stub = `export function observeCalls(app) { app.decorateRequest("caller", undefined); }`;
  const loader = `export const load = (url, context, next) =>
    url.endsWith("/audit/observe.js") ? { format: "module", shortCircuit: true, source: ${JSON.stringify(stub)} } : next(url, context);`;
  register(`data:text/javascript,${encodeURIComponent(loader)}`);
}
const { runPortal } = await import("@fairway/gateway/portal/portal-process");
const { openService } = await import("@fairway/gateway/portal/service");

/** @type {import("@fairway/gateway/seed/seed").Platform} */
const platform = {
  categories: [],
  datasets: [],
  accounts: {
    roles: [],
    groups: [],
    users: [
      { username: "viewer", password: demoPassword, firstName: "Vera", lastName: "Viewer", email: "viewer@fairway.example", groups: [] },
    ],
  },
};
await runPortal({ demo: true, openService: (foundation) => openService(foundation, platform) });
