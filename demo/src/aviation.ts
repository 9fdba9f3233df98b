import { integer, millis, text } from "./column-drafts.ts";
import { vegaFile } from "./data-files.ts";
import { type DatasetRecipe, type DemoCategory, datasetRecipe } from "./dataset-recipe.ts";

export const aviation: DemoCategory = {
  id: "Aviation",
  description: "Airports of the United States, the flights between them and the birds in their way.",
  folder: "aviation",
};

const flights = datasetRecipe(aviation, {
  id: "flights",
  description:
    "Three million flights between US airports from January to June 2001, with distance and delay. Times are local to the airport of " +
    "departure and carry no zone: they are kept and shown as if they were UTC.",
  columns: [
    millis("date", "When the flight left, in the local time of the origin airport, kept as if it were UTC."),
    text("origin", "IATA code of the airport of departure; leads to airports.iata."),
    text("destination", "IATA code of the airport of arrival; leads to airports.iata."),
    integer("delay", "How late the flight was; negative when it was early. Beyond ±600 minutes mostly errors of recording.", "min"),
    integer("distance", "Length of the flight between the two airports.", "mi"),
  ],
  sources: { flights: vegaFile("flights-3m.parquet") },
  select: `
    select date, origin, destination, delay, distance
    from read_parquet({flights})
    order by date desc, origin, destination, distance, delay`,
  temporalField: "date",
  titleField: "origin",
  subtitleField: "destination",
  faMapIcon: "plane",
  filters: {
    supportsAdvancedFiltering: true,
    requiredOrFields: ["origin", "destination"],
    staticFilters: [
      { name: "origin", display: "Origin", description: "IATA code of the airport of departure, such as DEN." },
      { name: "destination", display: "Destination", description: "IATA code of the airport of arrival, such as SEA." },
      { name: "delay", operator: ">=", display: "Delay at least", description: "Minutes late; negative numbers are early." },
    ],
  },
  linkedDatasets: [],
});

export const aviationDatasets: readonly DatasetRecipe[] = [flights];
