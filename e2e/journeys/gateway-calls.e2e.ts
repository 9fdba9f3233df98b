import type { Request } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { sample } from "../support/searches.ts";
import { expectDatasets, logIn, storedSession } from "../support/sign-in.ts";

const publicCalls = /^\/api\/(auth\/|ui\/config$|static\/settings\.json$|health\/)/;

test("[API-02][API-03] every call of the application goes to /api, with the access token unless it is public", async ({ page }) => {
  const calls: Request[] = [];
  await page.goto("/login");
  await logIn(page, "viewer");
  page.on("request", (request) => {
    // The application also fetches its own code.
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
