import { demoFile, vegaFile } from "./data-files.ts";
import type { FileCopy } from "@fairway/contract/recipes";
import { filesetRecipe } from "./fileset-recipe.ts";

type PublicFile = Pick<FileCopy, "path"> & { readonly source: string; readonly license: string };

const publicDomain = "public domain (work of the US government)";
const creativeCommons = "CC BY 4.0";
const flightData = "published under 14 CFR part 234";
const transportStatistics = "US Bureau of Transportation Statistics";
const laborStatistics = "US Bureau of Labor Statistics";

/** Files of vega-datasets whose license is stated. `demo/data/README.md` lists the same. */
const files: readonly PublicFile[] = [
  { path: "aviation/airports.csv", source: "Data.gov", license: publicDomain },
  { path: "aviation/birdstrikes.csv", source: "Federal Aviation Administration", license: publicDomain },
  { path: "aviation/flights-200k.arrow", source: transportStatistics, license: flightData },
  { path: "aviation/flights-200k.json", source: transportStatistics, license: flightData },
  { path: "aviation/flights-3m.parquet", source: transportStatistics, license: flightData },
  { path: "climate/co2-concentration.csv", source: "Scripps CO2 Program", license: creativeCommons },
  { path: "climate/global-temp.csv", source: "NASA Goddard Institute for Space Studies", license: publicDomain },
  { path: "climate/seattle-weather-hourly-normals.csv", source: "NOAA National Climatic Data Center", license: publicDomain },
  { path: "climate/weather.csv", source: "NOAA Climate Data Online", license: publicDomain },
  { path: "nature/earthquakes.json", source: "US Geological Survey", license: publicDomain },
  { path: "nature/penguins.json", source: "Palmer Station Antarctica LTER", license: "CC0 1.0" },
  { path: "nature/species.csv", source: "USGS Gap Analysis Project", license: publicDomain },
  { path: "people/gapminder.json", source: "Gapminder", license: creativeCommons },
  { path: "people/unemployment-across-industries.json", source: laborStatistics, license: publicDomain },
  { path: "people/unemployment.tsv", source: laborStatistics, license: publicDomain },
  { path: "people/zipcodes.csv", source: "GeoNames", license: creativeCommons },
  { path: "places/us-state-capitals.json", source: "US Geological Survey", license: publicDomain },
  { path: "places/world-110m.json", source: "Natural Earth", license: "public domain" },
];

/** Users may add to it. */
export const publicData = filesetRecipe({
  id: "public-data",
  description: "Open data as published, in many formats: CSV, TSV, JSON, Parquet and Arrow. Everyone who is signed in may add files.",
  allowsUploads: true,
  copies: [
    { path: "README.md", from: demoFile("public-data/README.md"), tags: {} },
    ...files.map(({ path, source, license }) => ({
      path,
      from: vegaFile(path.slice(path.lastIndexOf("/") + 1)),
      tags: { source, license },
    })),
  ],
});
