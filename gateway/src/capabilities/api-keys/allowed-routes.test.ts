import { describe, expect, it } from "vitest";
import { contractRoutes } from "#testing/contract-routes.ts";

describe("the routes that API keys open", () => {
  it("are only those of datasets, exports, filesets and imports, those that read boards and alerts, and the one of assistants", async () => {
    const routes = await contractRoutes();
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
