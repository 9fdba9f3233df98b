import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { almanacDataset } from "./almanac-dataset.ts";
import { type RunningAlmanac, serveAlmanac } from "./almanac-server.ts";

let almanac: RunningAlmanac;
beforeAll(async () => {
  almanac = await serveAlmanac();
});
afterAll(() => almanac.close());

async function call(
  path: string,
  { body, key = almanac.key }: { body?: unknown; key?: string } = {},
): Promise<{ status: number; body: Body }> {
  const response = await fetch(almanac.url + path, {
    headers: { "x-almanac-key": key },
    ...(body === undefined ? {} : { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
interface Body {
  readonly message: string;
  readonly total: number;
  readonly days: readonly { date: string; city: string; daylight: number }[];
  readonly results: readonly { phase: string; at: string; year: number }[];
}

describe("the almanac", () => {
  it("listens on this machine only, and requires its key", async () => {
    expect(almanac.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const path of ["/sun/London", "/moon", "/"]) expect((await call(path, { key: "guess" })).status).toBe(401);
  });

  it("returns the days of a city, filtered and paged", async () => {
    const { body } = await call("/sun/london?min_date=2024-06-19&max_date=2024-06-22&skip=1&take=2");
    expect([body.total, body.days.map(({ date, city }) => [date, city])]).toEqual([
      4,
      [
        ["2024-06-20", "London"],
        ["2024-06-21", "London"],
      ],
    ]);
    expect((await call("/sun/London?date=2024-06-20&min_daylight=17")).body.total).toBe(0);
    expect((await call("/sun/London?date=2024-06-20&min_daylight=16&max_daylight=17")).body.days).toHaveLength(1);
    expect((await call("/sun/Quito")).body.total).toBe(4_018);
  });

  it("finds a city by any spelling of its name", async () => {
    for (const name of ["Tromsø", "TROMSO", "Reykjavik"]) expect((await call(`/sun/${encodeURIComponent(name)}?take=1`)).status).toBe(200);
  });

  it("returns the phases of a year", async () => {
    const { body } = await call("/moon", { body: { year: 2024, phase: "full moon" } });
    expect(body.results).toHaveLength(12);
    expect(body.results[0]).toEqual({ phase: "full moon", at: "2024-01-25T17:54Z", year: 2024 });
  });

  it.each([
    ["/sun/Atlantis", undefined, 404, "The almanac has no city 'Atlantis'."],
    ["/sun/%ff", undefined, 400, "This is not a name."],
    ["/sun/London?date=midsummer", undefined, 400, "'midsummer' is not a day"],
    ["/sun/London?skip=-1", undefined, 400, "'skip' is not a whole number."],
    ["/moon", { year: 1800 }, 400, "of the years 1950 to 2050."],
    ["/moon", "{", 400, "a JSON object."],
    ["/moon", "x".repeat(20_000), 413, "no more than 10,000"],
    ["/", undefined, 404, "no such page."],
  ])("explains what is wrong with %s", async (path, body, status, words) => {
    const response = await call(path, { body });
    expect([response.status, response.body.message]).toEqual([status, expect.stringContaining(words)]);
  });
});

it("has a complete description as an external dataset", () => {
  const dataset = almanacDataset(almanac);
  expect([dataset.baseRoute, dataset.apiKeyCredential?.key]).toEqual([almanac.url, almanac.key]);
  expect(dataset.apis.map(({ name }) => name)).toEqual(["sun-times", "moon-phases"]);
  for (const { description, filters, columns } of dataset.apis) {
    for (const one of [
      description,
      ...filters.map((filter) => filter.description),
      ...(columns ?? []).map((column) => column.description),
    ]) {
      expect(one).toMatch(/^\S.{7,}[.]$/s);
    }
  }
});
