import { readFile } from "node:fs/promises";
import { load } from "js-yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { demoGateway } from "#testing/demo-gateway.ts";

const fileOf = (name: string) => readFile(new URL(`../../../deploy/grafana/${name}`, import.meta.url), "utf8");

const target = z.object({ refId: z.string(), expr: z.string(), datasource: z.object({ uid: z.literal("${datasource}") }) });
const gridPos = z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1), h: z.int().min(1) });
const panel = z.object({ id: z.int(), type: z.string(), title: z.string().min(1), gridPos, targets: z.array(target).min(1).optional() });
const dashboard = z.object({
  uid: z.string().max(40),
  title: z.string(),
  schemaVersion: z.int().min(36),
  panels: z.array(panel),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.string() })) }),
});
const alerts = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(z.object({ alert: z.string(), expr: z.string(), annotations: z.record(z.string(), z.string()) })),
    }),
  ),
});

/** The names of all metrics that a portal serves. */
let served: ReadonlySet<string>;
let close: () => Promise<void>;
beforeAll(async () => {
  const gateway = await demoGateway();
  close = () => gateway.close();
  // Histograms have samples from the first observation on.
  await fetch(`http://127.0.0.1:${gateway.port}/api/health/live`);
  const text = await (await fetch(`http://127.0.0.1:${gateway.port}/api/metrics`)).text();
  served = new Set(Array.from(text.matchAll(/^(fairway_\w+)/gm), ([, name = ""]) => name));
}, 120_000);
afterAll(() => close());

const unknownIn = (expressions: readonly string[]): string[] =>
  expressions.flatMap((expression) => expression.match(/fairway_\w+/g) ?? []).filter((name) => !served.has(name));

describe("the dashboard", () => {
  it("shows only metrics that a portal serves", async () => {
    const text = await fileOf("fairway.json");
    expect(unknownIn([text])).toEqual([]);
    expect(text.match(/fairway_\w+/g)?.length).toBeGreaterThan(30);
  });

  it("is one that Grafana can import into any installation", async () => {
    const { panels, templating } = dashboard.parse(JSON.parse(await fileOf("fairway.json")));
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(templating.list[0]).toMatchObject({ name: "datasource", type: "datasource" });
    for (const { gridPos: place, type, targets } of panels) {
      expect(place.x + place.w).toBeLessThanOrEqual(24);
      expect(type === "row" || targets !== undefined).toBe(true);
    }
    const cells = panels.flatMap(({ gridPos: { x, y, w } }) => Array.from({ length: w }, (_, column) => `${x + column} ${y}`));
    expect(new Set(cells).size).toBe(cells.length);
  });
});

describe("the alerts", () => {
  it("are about metrics that a portal serves, and say what to do", async () => {
    const { groups } = alerts.parse(load(await fileOf("alerts.yaml")));
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBeGreaterThan(3);
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
    for (const { annotations } of rules)
      expect(Object.keys(annotations).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(["description", "summary"]);
  });
});
