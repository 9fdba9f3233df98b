import { expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { openAdmin, openRowMenu, rowOf, serveEntities } from "#testing/entities.ts";
import { collectDownloads } from "#testing/files.ts";

const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });
const today = (): string => {
  const now = new Date();
  return `${now.getFullYear()}${now.getMonth() + 1}${now.getDate()}`;
};

it("[ADMIN-32][ADMIN-33][ADMIN-34][ADMIN-35] exports contain one entity or all, are named by the day, and revoke their object URL after 2 seconds", async () => {
  serveEntities("flowEnvironments", [environment("first"), environment("second")]);
  const { saved, revoked } = collectDownloads();
  await openAdmin("/flowenvironment-settings", "Flow Environments");
  await expect.element(rowOf("first")).toBeVisible();
  await openRowMenu("first");
  vi.useFakeTimers();
  await page.getByRole("menuitem", { name: "Export", exact: true }).click();
  await vi.waitUntil(() => saved.length === 1);
  await vi.advanceTimersByTimeAsync(1_900);
  expect(revoked).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(revoked).toHaveLength(1);
  vi.useRealTimers();
  await page.getByRole("button", { name: "Export All", exact: true }).click();
  await expect.poll(() => saved.length).toBe(2);

  const names = saved.map(({ name }) => name);
  expect(names).toEqual([`flowEnvironments-${today()}.json`, `flowEnvironments-${today()}.json`]);
  const [single = "", all = ""] = await Promise.all(saved.map(({ blob }) => blob.text()));
  const completed = { readTimeoutMs: 60_000, connectTimeoutMs: 10_000, ca: "" };
  expect(JSON.parse(single)).toEqual([{ ...environment("first"), ...completed }]);
  expect(JSON.parse(all)).toEqual([
    { ...environment("first"), ...completed },
    { ...environment("second"), ...completed },
  ]);
});
