import { expect, it } from "vitest";
import type { QueryEngine } from "#query/engine.ts";
import { type AlertGateway, alertsApp } from "#testing/alerts-app.ts";

const app = await alertsApp();

/** Engines that note the checks of each gateway and can hold them. */
function observed() {
  const checks: string[] = [];
  const held: (() => void)[] = [];
  let isHolding = false;
  const engineOf =
    (name: string) =>
    (real: QueryEngine): QueryEngine => ({
      ...real,
      features: real.features,
      supportsSort: real.supportsSort,
      aggregate: async (...parameters) => {
        checks.push(name);
        const { signal, isBackground } = parameters[4];
        expect(isBackground).toBe(true);
        if (isHolding) {
          await new Promise<void>((resolve, reject) => {
            held.push(resolve);
            signal.addEventListener("abort", () => reject(new Error("aborted")));
          });
        }
        return real.aggregate(...parameters);
      },
    });
  return { checks, engineOf, hold: () => (isHolding = true), release: () => ((isHolding = false), held.splice(0).forEach((go) => go())) };
}

const above = { condition: { kind: "above", rows: 100 } } as const;
const makeAllDue = () => app.pool.query("update alerts set next_check_at = now()");
const totalChecks = async () => Number((await app.pool.query<{ count: string }>("select count(*) from alert_checks")).rows[0]?.count);
const waitForTotal = (count: number) => expect.poll(totalChecks, { timeout: 10_000, interval: 10 }).toBe(count);

it("two gateways share the checks, and do each once", async () => {
  const seen = observed();
  const gateways = [await app.open({ engine: seen.engineOf("a") }), await app.open({ engine: seen.engineOf("b") })] as const;
  for (let count = 0; count < 6; count += 1) {
    for (const person of ["ada", "bob"] as const) await app.create(gateways[0], person, above);
  }
  seen.checks.length = 0;
  seen.hold();
  await makeAllDue();
  // Two at a time on each.
  await expect.poll(() => seen.checks.toSorted(), { timeout: 10_000 }).toEqual(["a", "a", "b", "b"]);
  seen.release();
  await waitForTotal(24);
  expect(seen.checks).toHaveLength(12);
});

it("a check that was missed for hours is made up for once, and goes on in its turn", async () => {
  const first = await app.open();
  const { id } = await app.create(first, "ada", { ...above, everyMinutes: 60 });
  await first.close();
  await app.pool.query("update alerts set next_check_at = now() - interval '7 hours 20 minutes'");
  const second = await app.open();
  await app.waitForChecks(id, 2);
  const { nextCheckMs } = await app.find(second, "ada", id);
  expect(Math.round(((nextCheckMs ?? 0) - Date.now()) / 60_000)).toBe(40);
  expect(await app.checksOf(id)).toBe(2);
});

it("people take turns, however many alerts one of them has", async () => {
  const seen = observed();
  const gateway: AlertGateway = await app.open({ engine: seen.engineOf("a"), limits: { alertChecksAtOnce: 1 } });
  for (let count = 0; count < 6; count += 1) await app.create(gateway, "ada", above);
  for (let count = 0; count < 2; count += 1) await app.create(gateway, "bob", above);
  await app.pool.query("delete from alert_checks");
  // Those of Ada have waited longer.
  await app.pool.query(
    "update alerts set next_check_at = now() - case user_id when 'ada' then interval '10 minutes' else interval '1 minute' end",
  );
  await waitForTotal(8);
  const { rows } = await app.pool.query<{ user_id: string }>(
    "select user_id from alert_checks join alerts on alerts.id = alert_id order by alert_checks.id",
  );
  expect(rows.map(({ user_id: person }) => person).lastIndexOf("bob")).toBeLessThan(4);
});

it("slow checks of one person's alerts leave a slot to others", async () => {
  const seen = observed();
  const gateway = await app.open({ engine: seen.engineOf("a"), limits: { alertChecksAtOnce: 3 } });
  for (let count = 0; count < 6; count += 1) await app.create(gateway, "ada", above);
  seen.hold();
  seen.checks.length = 0;
  await makeAllDue();
  await expect.poll(() => seen.checks.length, { timeout: 10_000 }).toBe(2);
  // The first check of Bob's alert, while none of Ada's ends.
  const draft = app.draftOf(await app.saveSearch(gateway, "bob"), above);
  const { body } = await app.call<{ id: string }>(gateway, "bob", "POST", "/alerts", draft);
  await expect.poll(() => seen.checks.length, { timeout: 10_000 }).toBe(3);
  const { rows } = await app.pool.query<{ user_id: string }>("select user_id from alerts where claimed_until is not null order by user_id");
  expect(rows.map(({ user_id: person }) => person)).toEqual(["ada", "ada", "bob"]);
  seen.release();
  await app.waitForChecks(body.id, 1);
});

it("a change of an alert makes the check under way void", async () => {
  const seen = observed();
  const gateway = await app.open({ engine: seen.engineOf("a"), limits: { alertChecksAtOnce: 3 } });
  const { id, draft } = await app.create(gateway, "ada", { condition: { kind: "above", rows: 50 } });
  seen.hold();
  seen.checks.length = 0;
  await makeAllDue();
  await expect.poll(() => seen.checks.length, { timeout: 10_000 }).toBe(1);
  await app.call(gateway, "ada", "PUT", `/alerts/${id}`, { ...draft, condition: { kind: "above", rows: 5 } });
  await expect.poll(() => seen.checks.length, { timeout: 10_000 }).toBe(2);
  seen.release();
  await app.waitForChecks(id, 2);
  await app.settled();
  expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${draft.name}: 10 rows`]);
});
