import type { GeoJSONSource, Map as MapLibreMap } from "maplibre-gl";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { defaultPortalSettings, usePortal } from "#lib/gateway/portal-settings.ts";
import chart from "#testing/chart.pmtiles?url";
import { drawCoarsely } from "#testing/pixels.ts";
import { openMap } from "./basemap.ts";

const placesAddress = "/places";
const places = { names: ["Havana"], longitudes: [-82.383], latitudes: [23.133], thousands: [2_164] };

/** Paths and ranges of the calls, answered from the files of this test. */
let calls: string[] = [];
let answerPlaces: () => Response = () => Response.json(places);

beforeEach(() => {
  drawCoarsely();
  calls = [];
  answerPlaces = () => Response.json(places);
  vi.stubEnv("FAIRWAY_PLACES", placesAddress);
  const realFetch = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.origin);
    const range = new Headers(init?.headers).get("range");
    if (pathname === placesAddress) {
      calls.push(pathname);
      return answerPlaces();
    }
    if (pathname !== "/api/map-file") return realFetch(input, init);
    calls.push(`${pathname} ${range}`);
    const [, start = 0, end = 0] = /bytes=(\d+)-(\d+)/.exec(range ?? "")?.map(Number) ?? [];
    const content = await (await realFetch(chart)).arrayBuffer();
    return new Response(content.slice(start, end + 1), { status: 206, headers: { etag: '"1"' } });
  });
  return () => usePortal.setState({ settings: defaultPortalSettings });
});

async function open(bounds: [number, number, number, number]): Promise<{ map: MapLibreMap; container: HTMLElement }> {
  const container = document.createElement("div");
  container.style.cssText = "width: 400px; height: 300px";
  document.body.append(container);
  const map = await openMap(container, bounds, 8);
  onTestFinished(() => {
    map.remove();
    container.remove();
  });
  return { map, container };
}

const namesOf = async (map: MapLibreMap): Promise<unknown[]> => {
  const data = await map.getSource<GeoJSONSource>("places")?.getData();
  return data?.type === "FeatureCollection" ? data.features.map(({ properties }) => properties?.["name"]) : [];
};

it("names places once it is near enough, and fetches them only then", async () => {
  const { map } = await open([-150, -55, 150, 70]);
  expect([calls, await namesOf(map)]).toEqual([[], []]);
  map.jumpTo({ center: [-82, 23], zoom: 6 });
  await expect.poll(() => namesOf(map)).toEqual(["Havana"]);
  map.jumpTo({ zoom: 7 });
  expect(calls).toEqual([placesAddress]);
});

it("stays as it is if the places cannot be loaded, and tries again at the next zoom", async () => {
  const logged = vi.spyOn(console, "warn").mockImplementation(() => {});
  answerPlaces = () => new Response("", { status: 503 });
  const { map } = await open([-83, 22, -82, 23]);
  await expect.poll(() => logged.mock.calls.flat().join(" ")).toContain("The map could not be refined");
  answerPlaces = () => Response.json(places);
  map.jumpTo({ zoom: 6 });
  await expect.poll(() => namesOf(map)).toEqual(["Havana"]);
});

it("reads the operator's map file in ranges from this portal and shows its attribution as text", async () => {
  usePortal.setState({ settings: { ...defaultPortalSettings, mapFile: { attribution: "© Harbor <b>charts</b>", maxZoom: 1 } } });
  const { map, container } = await open([-150, -55, 150, 70]);
  await expect.poll(() => map.areTilesLoaded()).toBe(true);
  expect(calls[0]).toBe("/api/map-file bytes=0-16383");
  expect(calls.length).toBeGreaterThan(1);
  await expect.poll(() => container.textContent).toContain("© Harbor <b>charts</b>");
});
