import { coordinates, decimal, integer, millis, text, truth } from "./column-drafts.ts";
import { demoFile, vegaFile } from "./data-files.ts";
import type { DatasetRecipe } from "@fairway/contract/recipes";
import { type DemoCategory, datasetRecipe, publicDomain } from "./dataset-recipe.ts";

export const aviation: DemoCategory = {
  id: "Aviation",
  description: "Airports of the United States, the flights between them and the birds in their way.",
  folder: "aviation",
};

/** A link to the rows of another aviation dataset whose column holds this row's airport code. */
const airportLink = (datasetId: string, display: string, name: string, fromColumn: string) => ({
  datasetCategory: aviation.id,
  datasetId,
  display,
  filters: [{ name, operator: "=" as const, fromColumn }],
});

/** Two datasets of the same airports. */
const airportSource = {
  owner: "Data.gov",
  origin: { text: "Airports (Data.gov)", link: "https://catalog.data.gov/dataset/airports-5e97a" },
  license: publicDomain,
  updateRhythm: "never" as const,
  tags: ["airports", "reference data"],
  sources: { airports: vegaFile("airports.csv") },
};

/** Columns of both. */
const airportNames = [
  text("iata", "The airport's code, such as DEN; small airfields carry the code of the aviation authority."),
  text("name", "Name of the airport."),
  text("city", "The city it serves. Empty where it is not known."),
  text("state", "Two letters of the state or territory. Empty where it is not known."),
];

const airports = datasetRecipe(aviation, {
  id: "airports",
  description: "3,376 airports of the United States and its territories, from hubs to grass strips, with code, city and position.",
  ...airportSource,
  columns: [
    ...airportNames,
    text("country", "USA for all but four."),
    decimal("latitude", "Degrees north.", "°"),
    decimal("longitude", "Degrees east; negative is west.", "°"),
    coordinates("position", ["latitude", "longitude"], "Where the airport is."),
  ],
  select: `
    select
      iata, name, nullif(city, 'NA') as city, nullif(state, 'NA') as state, country,
      cast(latitude as double) as latitude, cast(longitude as double) as longitude
    from read_csv({airports}, header = true, all_varchar = true)
    order by iata`,
  locationField: "position",
  orderBy: [{ column: "iata", direction: "asc" }],
  titleField: "name",
  subtitleField: "city",
  faMapIcon: "tower-observation",
  filters: {
    supportsAdvancedFiltering: true,
    requiredOrFields: ["iata", "city", "state"],
    staticFilters: [
      { name: "iata", display: "Airport code", description: "Such as DEN." },
      { name: "city", display: "City", description: "Such as Denver." },
      { name: "state", display: "State", description: "Two letters, such as CO." },
    ],
  },
  linkedDatasets: [
    airportLink("flights", "Departures", "origin", "iata"),
    airportLink("flights", "Arrivals", "destination", "iata"),
    airportLink("bird-strikes", "Bird strikes", "iata", "iata"),
  ],
});

/** The same airports as a table to look up: datasets whose searches need a filter cannot be looked up. */
const airportCodes = datasetRecipe(aviation, {
  id: "airport-codes",
  description: "Code, name, city, state and position of each airport, to be looked up from datasets that hold its code.",
  ...airportSource,
  columns: [...airportNames, decimal("latitude", "Degrees north.", "°"), decimal("longitude", "Degrees east; negative is west.", "°")],
  select: `
    select
      iata, name, nullif(city, 'NA') as city, nullif(state, 'NA') as state,
      cast(latitude as double) as latitude, cast(longitude as double) as longitude
    from read_csv({airports}, header = true, all_varchar = true)
    order by iata`,
  orderBy: [{ column: "iata", direction: "asc" }],
  titleField: "name",
  subtitleField: "city",
  faMapIcon: "table-list",
  filters: {
    supportsAdvancedFiltering: true,
    staticFilters: [
      { name: "iata", display: "Airport code", description: "Such as DEN." },
      { name: "state", display: "State", description: "Two letters, such as CO." },
    ],
  },
});

const flights = datasetRecipe(aviation, {
  id: "flights",
  description:
    "Three million flights between US airports from January to June 2001, drawn at random from those that arrived, with distance and " +
    "delay. Times are local to the airport of departure and carry no zone: they are kept and shown as if they were UTC.",
  owner: "US Bureau of Transportation Statistics",
  origin: { text: "On-time performance", link: "https://www.transtats.bts.gov/DL_SelectFields.asp?gnoyr_VQ=FGJ&QO_fu146_anzr=b0-gvzr" },
  license: {
    text: "published under 14 CFR part 234; no other terms stated",
    link: "https://www.ecfr.gov/current/title-14/chapter-II/subchapter-A/part-234",
  },
  updateRhythm: "never",
  tags: ["flights", "delays"],
  columns: [
    millis("date", "When the flight actually left, in the local time of the airport of departure, kept as if it were UTC."),
    text("origin", "Code of the airport of departure; leads to airports."),
    text("destination", "Code of the airport of arrival; leads to airports."),
    integer("delay", "How late it arrived; negative is early. Values far beyond ±600 minutes are mostly recording errors.", "min"),
    integer("distance", "Distance between the two airports.", "mi"),
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
      { name: "origin", display: "Origin", description: "Code of the airport of departure, such as DEN." },
      { name: "destination", display: "Destination", description: "Code of the airport of arrival, such as SEA." },
      { name: "delay", operator: ">=", display: "Delay at least", description: "In minutes; negative is early." },
    ],
  },
  linkedDatasets: [
    airportLink("airports", "Origin airport", "iata", "origin"),
    airportLink("airports", "Destination airport", "iata", "destination"),
  ],
});

const birdStrikes = datasetRecipe(aviation, {
  id: "bird-strikes",
  description:
    "10,000 collisions of aircraft with wildlife at 50 US airports from 1990 to 2002, as reported to the Federal Aviation " +
    "Administration: species, damage and cost. 49 of the airports are joined to a code and a position.",
  owner: "Federal Aviation Administration",
  origin: { text: "Wildlife Strike Database", link: "https://wildlife.faa.gov" },
  license: publicDomain,
  updateRhythm: "never",
  tags: ["airports", "wildlife", "safety"],
  columns: [
    millis("date", "The day of the flight, as its midnight in UTC."),
    text("airport", "Name of the airport as reported."),
    text("iata", "Code of the airport; leads to airports. Empty for Barksdale Air Force Base, which is not among them."),
    decimal("latitude", "Degrees north of the airport.", "°"),
    decimal("longitude", "Degrees east of the airport; negative is west.", "°"),
    coordinates("position", ["latitude", "longitude"], "Where the airport is; the collision was near it."),
    text("origin_state", "State of the airport."),
    text("operator", "The airline, or MILITARY, BUSINESS and the like. A star marks airlines that had changed since."),
    text("aircraft", "Make and model of the aircraft."),
    text("phase", "Phase of the flight, such as Approach or Take-off run."),
    text("time_of_day", "Dawn, Day, Dusk or Night."),
    text("species", "The animal, as far as it was recognized."),
    text("wildlife_size", "Small, Medium or Large."),
    text("damage", "None, Minor, Medium or Substantial; B and C are classes of military mishaps."),
    truth("damaged", "Whether there was any damage."),
    integer("cost_repair", "Cost of the repair.", "$"),
    integer("cost_other", "Other cost, such as delay and fuel.", "$"),
    integer("cost_total", "Repair and other cost. 0 for most: often nobody reported it.", "$"),
    integer("speed", "Indicated airspeed at the collision. Empty where it was not reported.", "kt"),
  ],
  sources: {
    strikes: vegaFile("birdstrikes.csv"),
    crosswalk: demoFile("birdstrikes-airport-iata.csv"),
    airports: vegaFile("airports.csv"),
  },
  select: `
    with crosswalk as (select * from read_csv({crosswalk}, header = true, all_varchar = true)),
    airports as (select * from read_csv({airports}, header = true, all_varchar = true))
    select
      cast("Flight Date" as timestamp) as date,
      "Airport Name" as airport,
      airports.iata as iata,
      cast(airports.latitude as double) as latitude,
      cast(airports.longitude as double) as longitude,
      "Origin State" as origin_state,
      "Aircraft Airline Operator" as operator,
      "Aircraft Make Model" as aircraft,
      "Phase of flight" as phase,
      "Time of day" as time_of_day,
      "Wildlife Species" as species,
      "Wildlife Size" as wildlife_size,
      "Effect Amount of damage" as damage,
      "Effect Amount of damage" <> 'None' as damaged,
      cast("Cost Repair" as bigint) as cost_repair,
      cast("Cost Other" as bigint) as cost_other,
      cast("Cost Total $" as bigint) as cost_total,
      cast("Speed IAS in knots" as integer) as speed
    from read_csv({strikes}, header = true, all_varchar = true) as strikes
      left join crosswalk on crosswalk.airport_name = strikes."Airport Name"
      left join airports on airports.iata = crosswalk.iata
    order by all desc nulls last`,
  temporalField: "date",
  locationField: "position",
  titleField: "species",
  subtitleField: "airport",
  faMapIcon: "crow",
  filters: {
    supportsAdvancedFiltering: true,
    requiredOrFields: ["iata", "operator", "species"],
    staticFilters: [
      { name: "iata", display: "Airport code", description: "Such as DEN." },
      { name: "operator", display: "Operator", description: "In capitals, such as DELTA AIR LINES." },
      { name: "species", display: "Species", description: "Such as Canada goose." },
      { name: "damaged", display: "Damaged", description: "Whether there was any damage." },
    ],
  },
  linkedDatasets: [airportLink("airports", "Airport", "iata", "iata")],
});

export const aviationDatasets: readonly DatasetRecipe[] = [airports, airportCodes, flights, birdStrikes];
