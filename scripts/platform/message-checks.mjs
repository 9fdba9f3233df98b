// @ts-check
// What gateways send to other servers: emails to a mail server, and spans to a receiver of traces.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expectCall, signIn } from "../harness/calls.mjs";
import { serviceOf } from "./receivers.mjs";
import { accountNamed, changeMs, createAccount, expectEqual, jobMs, until } from "./steps.mjs";

const earthquakes = { datasetCategory: "Natural hazards", datasetId: "earthquakes" };
const strong = [{ name: "mag", operator: ">=", value: "5" }];
/** Longer than the gateways take to look for messages that are due. */
const secondMailMs = 5_000;

/**
 * @param {import("./open-platform.mjs").RunningPlatform} platform
 * @returns {import("./steps.mjs").Checks}
 */
export const messageChecks = ({ gateways, receivers, tables }) => ({
  "a subscription that is asked for at one gateway is sent once, and known at the other": async ({ a, b, administrator }) => {
    const email = `${randomUUID()}@fairway.example`;
    const { account, id } = await createAccount(a, administrator, { email });
    const token = await signIn(a, account.username, account.password);
    const queryName = `Strong ${randomUUID()}`;
    const query = JSON.stringify({ filters: strong });
    const search = await expectCall(a, "POST", "/favorite/queries", { token, body: { ...earthquakes, queryName, query } });
    const at = { hour: 6, minute: 0, weekdays: [1], zone: "UTC" };
    const draft = { name: queryName, of: { savedSearchId: search.id }, at };
    const subscription = await expectCall(b, "POST", "/subscriptions", { token, body: draft });
    await expectCall(a, "POST", `/subscriptions/${subscription.id}/send`, { token });
    const kinds = async (/** @type {string} */ origin) =>
      (await expectCall(origin, "GET", `/subscriptions/${subscription.id}/deliveries`, { token })).deliveries.map(
        (/** @type {{ kind: string, reason: string }} */ { kind, reason }) => `${kind} ${reason}`.trim(),
      );
    await until(async () => (await kinds(b)).length > 0, jobMs);
    await sleep(secondMailMs);
    for (const origin of [a, b]) expectEqual((await kinds(origin)).join(), "sent");
    expectEqual(receivers.mails.filter(({ to }) => to.includes(email)).length, 1);
    await expectCall(b, "DELETE", `/admin/users/${id}`, { token: administrator });
  },

  "a receiver of traces gets the spans of both gateways, down to the query": async ({ a, b }) => {
    const { username, password } = accountNamed("viewer");
    for (const origin of [a, b]) {
      const token = await signIn(origin, username, password);
      const path = "/datasets/Natural%20hazards/earthquakes/search";
      await expectCall(origin, "POST", path, { token, body: { filters: strong, paging: { offset: 0, max: 1 } } });
    }
    const wanted = [
      "POST /datasets/:category/:datasetId/search",
      "engine search",
      ...(tables.includes("earthquakes") ? ["POST query server"] : []),
    ];
    /** @type {string[]} */
    let missing = [];
    const hasAll = async () => {
      missing = gateways.flatMap(({ name }) =>
        wanted.filter((span) => receivers.spans.get(serviceOf(name))?.has(span) !== true).map((span) => `'${span}' of gateway ${name}`),
      );
      return missing.length === 0;
    };
    await until(hasAll, changeMs).catch(() => {
      throw new Error(`no span ${missing.join(", ")}`);
    });
  },
});
