import { noteNotRun } from "#testing/not-run.ts";
import { startFakeNifi } from "./testing/fake-nifi.ts";
import { describeNifi } from "./testing/nifi-suite.ts";

/** A real NiFi of version 1.18.0 over HTTP; `npm run test:nifi` starts one. */
const url = process.env["NIFI_URL"];

describeNifi("fake", () => startFakeNifi({ version: "1.18.0" }));

if (url === undefined) noteNotRun("deployments to a real NiFi", "run `npm run test:nifi`, see docs/decisions/archive/0442");
else describeNifi("real", () => Promise.resolve({ url, close: () => Promise.resolve() }));
