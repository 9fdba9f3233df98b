import { afterEach, expect, it, vi } from "vitest";
import { loadWorld } from "./world.ts";

afterEach(() => vi.unstubAllGlobals());

it("is fetched again after it could not be loaded, and only once after that", async () => {
  const fetching = vi.fn<typeof fetch>();
  vi.stubGlobal("fetch", fetching);
  fetching.mockResolvedValueOnce(new Response("", { status: 503 }));
  await expect(loadWorld()).rejects.toThrow("The map of the world answered 503.");
  const triangle = { type: "Polygon", arcs: [[0]] };
  const countries = { type: "GeometryCollection", geometries: [{ ...triangle, properties: { name: "Fairland" } }] };
  const arcs = [
    [
      [0, 0],
      [3, 0],
      [0, 3],
      [0, 0],
    ],
  ];
  fetching.mockResolvedValueOnce(Response.json({ type: "Topology", objects: { countries }, arcs }));
  const world = await loadWorld();
  expect(world.names.features).toMatchObject([{ properties: { name: "Fairland" }, geometry: { coordinates: [1, 1] } }]);
  expect(await loadWorld()).toBe(world);
  expect(fetching).toHaveBeenCalledTimes(2);
});
