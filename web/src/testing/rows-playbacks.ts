import { distributions } from "@fairway/contract/distributions";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { listedCells, openRows } from "#testing/grids.ts";
import { gateway } from "#testing/open-screen.tsx";

export const months = { unit: "month", size: 1, startMs: Date.UTC(2004, 6), endMs: Date.UTC(2005, 0) } as const;
export const scrubber = () => page.getByRole("region", { name: "Playback" });
export const legend = () => page.getByRole("group", { name: /^Colors: / });
export const overTimeRequests = () => gateway.received(distributions.overTime).map(({ body }) => body);

export async function openCounted(rows: object = {}, clock?: readonly (number | null)[]): Promise<void> {
  await openRows(rows, { v: [-60, 30, 4], ...(clock ? { t: clock } : {}) });
  await expect.element(listedCells().first()).toBeVisible();
}
