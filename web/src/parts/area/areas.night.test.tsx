import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { defaultPortalSettings } from "#lib/gateway/portal-settings.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { settings } from "@fairway/contract/settings";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { expectCount, expectTexts } from "#testing/assertions.ts";
import { expectForm, openForm, pick, storms } from "#testing/datasets-screen.ts";
import { serveDatasets } from "#testing/demo-datasets.ts";
import { press } from "#testing/keyboard.ts";
import { loggedFailures } from "#testing/logged-failures.ts";
import { gateway, openScreen, reloadScreen } from "#testing/open-screen.tsx";
import { drawCoarsely } from "#testing/pixels.ts";
import { openArea, addShape, clickMap, areaButton, dialog, map } from "#testing/areas.ts";

const shapes = () => dialog().getByRole("region", { name: "Shapes" }).getByRole("listitem");

beforeEach(() => {
  drawCoarsely();
  serveDatasets(gateway);
});

describe("without an area, the map starts", () => {
  const caribbean = {
    coverage: null,
    positions: [
      [14, -80],
      [26, -60],
      [18, -72],
    ] as [number, number][],
  };
  /** Draws a shape around the middle of the map, and returns the latitude and longitude of its center. */
  async function centerOfMap(): Promise<[lat: number, lng: number]> {
    await clickMap([0.45, 0.4], [0.55, 0.4], [0.55, 0.6], [0.45, 0.6]);
    await press("Enter");
    await expectTexts(shapes(), [/^1\. 4 corners/]);
    const [, lat, south, lng, west] = /around ([\d.]+)°( S)?.*, ([\d.]+)°( W)?/.exec(shapes().element().textContent ?? "") ?? [];
    return [Number(lat) * (south ? -1 : 1), Number(lng) * (west ? -1 : 1)];
  }
  const isNear = ([lat, lng]: readonly [number, number]) => Math.abs(lat - 20) < 2 && Math.abs(lng + 70) < 2;
  const askedFor = () => gateway.received(datasetProfiles.thumbnail).map(({ params }) => params.datasetId);

  it("where the data is, by pictures that are there already or arrive in time", async () => {
    gateway.answer(datasetProfiles.thumbnail, caribbean);
    await openForm(storms);
    await openArea();
    expect(await centerOfMap()).toSatisfy(isNear);
    expect(askedFor()).toEqual(["storm-tracks"]);
    gateway.answer(datasetProfiles.thumbnails, [{ dataset: { datasetCategory: storms[0], datasetId: storms[1] }, ...caribbean }]);
    await openScreen("/search");
    await expect.element(page.getByRole("region", { name: storms[0] }).css("div[aria-hidden] path").first()).toBeVisible();
    await pick("storm-tracks");
    await expectForm(storms);
    await openArea();
    expect(await centerOfMap()).toSatisfy(isNear);
    expect(askedFor()).toHaveLength(1);
  });

  it("at the world, and moves to data that arrives later only if nobody has touched it", async () => {
    gateway.answer(datasetProfiles.thumbnail, caribbean);
    const arrive = async (release: () => void) => {
      release();
      await expect.poll(() => queryClient.isFetching()).toBe(0);
    };
    const release = gateway.hold(datasetProfiles.thumbnail);
    await openForm(storms);
    await openArea();
    await arrive(release);
    expect(await centerOfMap()).toSatisfy(isNear);
    const releaseLater = gateway.hold(datasetProfiles.thumbnail);
    await openForm(storms);
    await openArea();
    (map().element().querySelector("canvas") as HTMLElement).focus();
    await press("ArrowRight");
    await press("ArrowLeft");
    await arrive(releaseLater);
    expect((await centerOfMap())[1]).toBeCloseTo(0, 0);
  });

  it("at the world if the data has no places or cannot be asked", async () => {
    const logged = loggedFailures();
    gateway.refuse(datasetProfiles.thumbnail, "internal", "Broken.");
    await openForm(storms);
    await openArea();
    expect((await centerOfMap())[1]).toBeCloseTo(0, 0);
    await expect.poll(logged).toContain("The extent of the data could not be loaded:");
  });
});

it("shapes can be typed when the map cannot be shown, in a dialog in which axe finds no violations in either theme", async () => {
  const real: unknown = Reflect.get(HTMLCanvasElement.prototype, "getContext");
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(function (
    this: HTMLCanvasElement,
    kind: string,
    ...more: unknown[]
  ) {
    return kind.startsWith("webgl") ? null : (Reflect.apply(real as () => null, this, [kind, ...more]) as null);
  });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await openForm(storms);
  await areaButton().click();
  await expect.element(dialog().getByText("The map cannot be shown in this browser. Type the corners instead.")).toBeVisible();
  await addShape("-98 18, -80 18, -80 31, -98 31");
  await expectCount(shapes(), 1);
  await expectAccessible({ within: ["[role=dialog]"] });
});

it("configured tiles cover the bundled world and show their attribution; the world stays visible when they fail", async () => {
  const url = `${location.origin}/tiles/{z}/{x}/{y}.png`;
  gateway.answer(settings.portal, {
    ...defaultPortalSettings,
    mapTiles: { url, attribution: "© Harbour <b>charts</b>", maxZoom: 5 },
  });
  const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  const pixel = Uint8Array.from(atob(onePixel), (character) => character.charCodeAt(0));
  const realFetch = globalThis.fetch;
  const fetched: string[] = [];
  let isFailing = false;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!address.includes("/tiles/")) return realFetch(input, init);
    fetched.push(new URL(address).pathname);
    return isFailing
      ? Promise.reject(new TypeError("Failed to fetch"))
      : Promise.resolve(new Response(pixel, { headers: { "content-type": "image/png" } }));
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
  await openForm(storms);
  await openArea();
  await expect.poll(() => fetched.join()).toMatch(/\/tiles\/\d+\/\d+\/\d+\.png/);
  await expect.element(dialog().getByText("© Harbour <b>charts</b>", { exact: true })).toBeVisible();
  await press("Escape");
  await expect.element(dialog()).not.toBeInTheDocument();
  isFailing = true;
  await reloadScreen();
  await openArea();
  await expect.element(map()).toBeVisible();
});
