import { describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { openOnce } from "#testing/open-once.tsx";
import { openAdmin, openRowMenu, serveEntities } from "#testing/entities.ts";
import { collectDownloads } from "#testing/files.ts";

const environment = (name: string) => ({ name, displayName: `Desk ${name}`, baseUrl: "https://nifi.example.org", enabled: true });
const today = (): string => {
  const now = new Date();
  return `${now.getFullYear()}${now.getMonth() + 1}${now.getDate()}`;
};

const fileName = `flowEnvironments-${today()}.json`;
const completed = { readTimeoutMs: 60_000, connectTimeoutMs: 10_000, ca: "" };
let downloads: ReturnType<typeof collectDownloads>;

describe("exports", () => {
  openOnce(async () => {
    serveEntities("flowEnvironments", [environment("first"), environment("second")]);
    downloads = collectDownloads();
    await openAdmin("/flowenvironment-settings", "Flow Environments");
  });

  it("[ADMIN-32][ADMIN-35] Export of a row downloads one entity, and revokes its object URL after 2 seconds", async () => {
    const { saved, revoked } = downloads;
    await openRowMenu("first");
    vi.useFakeTimers();
    await page.getByRole("menuitem", { name: "Export", exact: true }).click();
    await vi.waitUntil(() => saved.length === 1);
    await vi.advanceTimersByTimeAsync(1_900);
    expect(revoked).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(revoked).toHaveLength(1);
    vi.useRealTimers();
    expect(JSON.parse((await saved[0]?.blob.text()) ?? "")).toEqual([{ ...environment("first"), ...completed }]);
    expect(saved[0]?.name).toBe(fileName);
  });

  it("[ADMIN-33][ADMIN-34] Export All downloads all entities in a file that is named by the day", async () => {
    const { saved } = downloads;
    const before = saved.length;
    await page.getByRole("button", { name: "Export All", exact: true }).click();
    await expect.poll(() => saved.length).toBe(before + 1);
    expect(saved.at(-1)?.name).toBe(fileName);
    expect(JSON.parse((await saved.at(-1)?.blob.text()) ?? "")).toEqual([
      { ...environment("first"), ...completed },
      { ...environment("second"), ...completed },
    ]);
  });
});
