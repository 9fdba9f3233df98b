import { mapResults } from "@fairway/contract/map-results";
import type { ResultRow } from "@fairway/contract/search";
import { beforeEach, describe, expect, it } from "vitest";
import { page } from "vitest/browser";
import { openOnce } from "#testing/open-once.tsx";
import {
  mapRequests,
  prepareAddressedMaps,
  details,
  itemButton,
  itemRow,
  serveLimits,
  openMap,
  pathBox,
  servePath,
  pathRows,
} from "#testing/maps.ts";
import { gateway } from "#testing/open-screen.tsx";

/** Holds path page requests and releases them one at a time. */
function holdPaths(): () => void {
  const waiting: (() => void)[] = [];
  let ahead = 0;
  gateway.answer(mapResults.path, async ({ body }) => {
    await new Promise<void>((resolve) => {
      if (ahead > 0) {
        ahead -= 1;
        resolve();
      } else waiting.push(resolve);
    });
    const { offset = 0, max = Number.POSITIVE_INFINITY } = body.paging ?? {};
    return { results: pathRows(body).slice(offset, offset + max) };
  });
  return () => {
    const first = waiting.shift();
    if (first) first();
    else ahead += 1;
  };
}

const beyondThePole = (row: ResultRow): ResultRow => ({ ...row, latitude: 91 });

beforeEach(prepareAddressedMaps);

describe("a path", () => {
  openOnce(async () => {
    serveLimits({ pathPointsPerCall: 30, pathCallsWithoutWarning: 2 });
    await openMap();
  });

  const requests = mapRequests();
  const dialog = page.getByRole("dialog", { name: "A Lot of Data" });
  const jeanne = pathBox("Jeanne");
  const body = {
    timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" },
    filters: [{ name: "storm_id", operator: "=", value: "2004-09" }],
    columns: ["time", "latitude", "longitude"],
    minimumIntervalMs: 1_000,
  };

  it("[MAP-12][MAP-23] is counted when it is to be shown, and stays hidden after Cancel", async () => {
    await expect.element(jeanne).not.toBeChecked();
    const before = requests.counts.length;
    await jeanne.click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(jeanne).not.toBeChecked();
    await expect.element(jeanne).toHaveAccessibleName("Path of Jeanne");
    expect(requests.counts.slice(before)).toEqual([body]);
    expect(requests.paths).toEqual([]);
  });

  it("[MAP-22][MAP-27] is asked about if it takes more calls than the settings allow", async () => {
    await jeanne.click();
    await expect.element(dialog).toHaveTextContent("The path of Jeanne has 66 positions, which take 3 requests.");
    await expect.element(dialog.getByRole("button", { name: "Yes, Try Loading Path" })).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("[MAP-11][MAP-13] loads page by page with a percentage, is shown, and is hidden again", async () => {
    const before = requests.paths.length;
    const next = holdPaths();
    await jeanne.click();
    await dialog.getByRole("button", { name: "Yes, Try Loading Path" }).click();
    await expect.element(jeanne).toHaveAccessibleName("Path of Jeanne, loading 0%");
    await expect.element(itemRow("Jeanne")).toHaveTextContent("loading 0%");
    next();
    await expect.element(jeanne).toHaveAccessibleName("Path of Jeanne, loading 45%");
    await expect.element(jeanne).toHaveAttribute("aria-checked", "mixed");
    next();
    await expect.element(jeanne).toHaveAccessibleName("Path of Jeanne, loading 90%");
    next();
    await expect.element(jeanne).toBeChecked();
    await expect.element(jeanne).toHaveAccessibleName("Path of Jeanne");
    const pageFrom = (offset: number) => ({ ...body, paging: { offset, max: 30 } });
    expect(requests.paths.slice(before)).toEqual([0, 30, 60].map(pageFrom));

    await itemButton("Jeanne").click();
    await expect.element(details("Jeanne").getByText("66 positions", { exact: true })).toBeVisible();
    await details("Jeanne").getByRole("button", { name: "Hide path" }).click();
    await expect.element(jeanne).not.toBeChecked();
    await expect.element(details("Jeanne").getByText("66 positions")).not.toBeInTheDocument();
  });

  it("cancels one that is loading", async () => {
    const before = requests.paths.length;
    const next = holdPaths();
    await itemButton("Ivan").click();
    await details("Ivan").getByRole("button", { name: "Show path" }).click();
    await dialog.getByRole("button", { name: "Yes, Try Loading Path" }).click();
    next();
    await expect.poll(() => requests.paths.length).toBe(before + 2);
    await details("Ivan").getByRole("button", { name: "Cancel loading 38%" }).click();
    await expect.poll(() => gateway.received(mapResults.path).at(-1)?.signal?.aborted).toBe(true);
    await expect.element(pathBox("Ivan")).not.toBeChecked();
    await expect.element(details("Ivan").getByRole("button", { name: "Show path" })).toBeVisible();
    expect(requests.paths).toHaveLength(before + 2);
  });

  it("[SEARCH-59] names its columns, and needs no question if it is short", async () => {
    await pathBox("Alex").click();
    await expect.element(pathBox("Alex")).toBeChecked();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(requests.paths.at(-1)).toMatchObject({ columns: ["time", "latitude", "longitude"] });
    expect(requests.last[0]).not.toHaveProperty("columns");
  });
});

it("[MAP-24] shows 'Path Loading Failed', keeps the path hidden, and loads it on the next request, with the number of its positions", async () => {
  servePath((body) => pathRows(body).map((row, index) => (index < 3 ? beyondThePole(row) : row)));
  await openMap({ s: "2004-09" });
  const jeanne = pathBox("Jeanne");
  const failure = page.getByRole("alert").filter({ hasText: "Path Loading Failed" });
  for (const calls of [mapResults.countPath, mapResults.path]) {
    gateway.refuse(calls, "engine-busy", "Every engine slot is taken.", { times: 1 });
    await jeanne.click();
    await expect.element(failure).toHaveTextContent("Jeanne: Every engine slot is taken.");
    await expect.element(jeanne).not.toBeChecked();
    await failure.getByRole("button").click();
    await expect.element(failure).not.toBeInTheDocument();
  }
  await jeanne.click();
  await expect.element(jeanne).toBeChecked();
  await expect.element(details("Jeanne").getByText("63 positions, 3 without a position", { exact: true })).toBeVisible();
  await details("Jeanne").getByRole("button", { name: "Hide path" }).click();
  gateway.answer(mapResults.countPath, { totalResults: 0 });
  await details("Jeanne").getByRole("button", { name: "Show path" }).click();
  await expect.element(details("Jeanne").getByText("0 positions", { exact: true })).toBeVisible();
  await expect.element(pathBox("Jeanne")).toBeChecked();
});
