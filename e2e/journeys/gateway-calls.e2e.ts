import type { Page, Request } from "@playwright/test";
import { picker } from "../support/datasets.ts";
import { expect, test } from "../support/fixtures.ts";
import { sample } from "../support/searches.ts";
import { expectDatasets, logIn, storedSession } from "../support/sign-in.ts";

const publicCalls = /^\/api\/(auth\/|ui\/config$|static\/settings\.json$|health\/)/;

test("[API-02][API-03] every call of the application goes below /api, with the access token where it is not public", async ({ page }) => {
  const calls: Request[] = [];
  await page.goto("/login");
  await logIn(page, "viewer");
  page.on("request", (request) => {
    // The application fetches its own parts before it runs them.
    const isOwnFile = new URL(request.url()).pathname.startsWith("/assets/");
    if (["fetch", "xhr"].includes(request.resourceType()) && !isOwnFile) calls.push(request);
  });
  await expectDatasets(page);
  await sample(page, "storm-tracks");
  await page.reload();
  await expect(page.getByRole("grid").getByRole("gridcell").first()).toBeVisible();
  const token = (await storedSession(page))?.access_token;
  const paths = calls.map((call) => new URL(call.url()).pathname);
  expect(paths.filter((path) => !path.startsWith("/api/"))).toEqual([]);
  const guarded = calls.filter((call) => !publicCalls.test(new URL(call.url()).pathname));
  expect(guarded.length).toBeGreaterThan(3);
  for (const call of guarded) expect(call.headers()["authorization"]).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  expect(guarded.at(-1)?.headers()["authorization"]).toBe(`Bearer ${token}`);
});

test("a call that is refused with 401 is sent once more with a renewed token", async ({ page, signIn }) => {
  await signIn();
  const tokens: (string | undefined)[] = [];
  await page.route("**/api/datasets", (route) => {
    const headers = route.request().headers();
    tokens.push(headers["authorization"]);
    return route.continue(tokens.length === 1 ? { headers: { ...headers, authorization: "Bearer no.such.token" } } : {});
  });
  await page.goto("/search");
  await expect(picker(page).getByText("storm-tracks", { exact: true })).toBeVisible();
  expect(tokens).toHaveLength(2);
  expect(tokens[1]).not.toBe(tokens[0]);
});

for (const [row, what, path, logged] of [
  ["[SESSION-25]", "the favourites", "**/api/favorite/datasets*", /^The favourites could not be loaded/],
  ["[SESSION-26]", "the UI configuration", "**/api/ui/config", /^The UI configuration could not be loaded/],
] as const) {
  test(`${row} a failure to load ${what} is logged, and nothing is shown of it`, async ({ page, signIn }) => {
    const log = warnings(page);
    await page.route(path, (route) => route.fulfill({ status: 500, json: { errors: [{ code: "internal", message: "It broke." }] } }));
    await signIn();
    await page.goto("/search");
    await expect.poll(() => log.some((line) => logged.test(line))).toBe(true);
    await expect(picker(page).getByText("storm-tracks", { exact: true })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(page.getByText("It broke.")).toHaveCount(0);
    await expect(page.getByText(/could not be loaded/)).toHaveCount(0);
  });
}

function warnings(page: Page): string[] {
  const lines: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning") lines.push(message.text());
  });
  return lines;
}

test("[SESSION-30][SESSION-31][ROUTE-49] the settings file lists disabled links by name or path; a disabled screen leads to the datasets", async ({
  page,
  signIn,
}) => {
  const answer: unknown = await (await page.request.get("/static/settings.json")).json();
  expect(answer).toMatchObject({ disabledLinks: [] });
  await signIn();
  await page.goto("/search");
  await sample(page, "airports");
  const results = page.url();
  for (const link of ["SearchResults", "search/$searchId"]) {
    await page.route("**/static/settings.json", async (route) => {
      const real = await route.fetch();
      await route.fulfill({ response: real, json: { ...((await real.json()) as object), disabledLinks: [link] } });
    });
    // A page of its own: the same address with a fragment would not load anew.
    await page.goto("/docs");
    await page.goto(results);
    await expect(page).toHaveURL("/search");
    await expectDatasets(page);
    await page.unroute("**/static/settings.json");
  }
});
