import { type Column, type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { InternalDataset } from "@fairway/contract/internal-datasets";

type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Proposal {
  readonly dataset: Omit<InternalDataset, "category"> & { category: string };
  readonly notes: string[];
}

const timeName = /(^|_)(time|times?tamp|datetime|date|epoch|ts|at|observed|created|updated|when)(_|$)|(time|date|timestamp)$/i;
const bestTimeName = /^(event_?)?(time|timestamp|datetime|date|ts)$|^(observed|occurred)/i;
const latitudeName = /^(.*_)?(lat|latitude)(_deg)?$/i;
const longitudeName = /^(.*_)?(lon|lng|long|longitude)(_deg)?$/i;
const itemName = /(^|_)(id|code|callsign|icao(24)?|mmsi|imo|registration|tail|name|station|vessel|ship|flight)$/i;
const titleName = /(^|_)(name|title|callsign|place|label)$/i;

/** What the place of the data says of them. */
interface Place {
  readonly id: string;
  /** Empty where they lie in no folder. */
  readonly category: string;
}

/** A dataset made of what the data look like; what is guessed stands in the notes, for somebody to look at. */
export function propose({ id, category }: Place, source: InternalDataset["source"], found: readonly Column[], rows: Rows): Proposal {
  const notes = [category === "" ? "The category is still to be written." : `The category '${category}' is the folder's name.`];
  const plain = found.map((column): Column => ({ ...column, type: typeOf(column, rows, notes) }));
  const temporalField = timeOf(plain, notes);
  const { location, columns } = withLocation(plain, notes);
  const item = plain.find(({ name, type }) => itemName.test(name) && (type === "STRING" || type === "integer"))?.name ?? null;
  const mapped = location !== null && temporalField !== null && item !== null;
  if (mapped) notes.push(`On a map, rows of one '${item}' are one item.`);
  else if (location !== null) notes.push("There is no map: it needs a time and a column that tells items apart, too.");
  return {
    dataset: {
      id,
      category,
      description: "",
      roles: [],
      source,
      schema: { columns },
      temporalField,
      locationField: location,
      orderBy: null,
      features: ["SAMPLE", "PAGINATION", "COUNT"],
      filterSupport: {
        supportsTimeRange: temporalField !== null,
        supportsGeospatial: location !== null,
        supportsAdvancedFiltering: true,
        requiredOrFields: null,
        staticFilters: [],
        preFilledFilters: [],
        additionalFilters: [],
      },
      mapSupport: mapped ? { groupItemField: item, itemLocationField: location, itemTemporalField: temporalField } : null,
      linkedDatasets: [],
      faMapIcon: null,
      titleField: plain.find(({ name, type }) => titleName.test(name) && type === "STRING")?.name ?? item,
      subtitleField: null,
    },
    notes,
  };
}

const unitNames: Partial<Record<ColumnType, string>> = { TIMESTAMP_SECONDS: "seconds", TIMESTAMP_MILLS: "milliseconds" };

/** Numbers whose name says time and whose values are of our days are moments. */
function typeOf({ name, type }: Column, rows: Rows, notes: string[]): ColumnType {
  if (!isNumeric(type) || !timeName.test(name)) return type;
  const values = rows.map((row) => Number(row[name])).filter((value) => Number.isFinite(value) && value !== 0);
  const guess: ColumnType | undefined = values.every((value) => value >= 1e8 && value < 5e9)
    ? "TIMESTAMP_SECONDS"
    : values.every((value) => value >= 1e11 && value < 5e12)
      ? "TIMESTAMP_MILLS"
      : undefined;
  if (guess === undefined || values.length === 0) return type;
  notes.push(`'${name}' looks like a time in ${unitNames[guess]} since 1970.`);
  return guess;
}

function timeOf(columns: readonly Column[], notes: string[]): string | null {
  const times = columns.filter(({ type }) => isTimestamp(type));
  const chosen = times.find(({ name }) => bestTimeName.test(name)) ?? times[0];
  if (chosen) notes.push(`Time ranges apply to '${chosen.name}'${times.length > 1 ? `, one of ${times.length} times` : ""}.`);
  return chosen?.name ?? null;
}

function withLocation(columns: readonly Column[], notes: string[]): { location: string | null; columns: Column[] } {
  const numbers = columns.filter(({ type }) => isNumeric(type));
  const latitude = numbers.find(({ name }) => latitudeName.test(name))?.name;
  const longitude = numbers.find(({ name }) => longitudeName.test(name))?.name;
  if (latitude === undefined || longitude === undefined) return { location: null, columns: [...columns] };
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  const location = ["location", "coordinates", "place_on_map"].find((name) => !taken.has(name)) ?? `${latitude} and ${longitude}`;
  notes.push(`'${latitude}' and '${longitude}' become the location column '${location}'.`);
  const combined = { type: "COORDINATES" as const, fields: [latitude, longitude], joinedBy: ", " };
  return { location, columns: [...columns, { name: location, type: "STRING", description: "Latitude and longitude.", combined }] };
}
