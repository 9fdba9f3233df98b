import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { RouteShape } from "@fairway/contract/route";
import { describe, expect, it } from "vitest";

const contract = join(import.meta.dirname, "../../../../contract/src");
const isRoute = (value: unknown): value is RouteShape =>
  typeof value === "object" && value !== null && "access" in value && "path" in value;

async function everyRoute(): Promise<RouteShape[]> {
  const files = readdirSync(contract).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  const modules = await Promise.all(files.map((file) => import(join(contract, file)) as Promise<Record<string, unknown>>));
  return modules
    .flatMap((module) => Object.values(module))
    .flatMap((group): unknown[] => (typeof group === "object" && group !== null ? Object.values(group) : []))
    .filter(isRoute);
}

describe("the routes that API keys open", () => {
  it("are only those of datasets, exports, filesets and imports, those that read boards and alerts, and the one of assistants", async () => {
    const routes = await everyRoute();
    const opened = routes.filter(({ apiKey }) => apiKey);
    expect(routes.length).toBeGreaterThan(40);
    expect(opened.length).toBeGreaterThan(10);
    const others = opened.filter(({ path }) => !/^\/(datasets|exports|filesets|imports)(\/|$)/.test(path));
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /alerts",
      "GET /alerts/:id/history",
      "POST /mcp",
      "GET /boards",
      "GET /boards/:id",
    ]);
    expect(opened.filter(({ access }) => access !== "signed-in")).toEqual([]);
  });
});
