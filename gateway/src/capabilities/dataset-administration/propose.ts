import { type Column, type ColumnType, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { coordinatePair } from "@fairway/contract/coordinate-names";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { partitionFilters } from "./partition-filters.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

export interface Proposal {
  readonly dataset: Omit<InternalDataset, "category"> & { category: string };
  readonly notes: string[];
  /** Columns that are left out, with the reason. */
  readonly problems: string[];
}

const timeName = /(^|_)(time|times?tamp|datetime|date|epoch|ts|at|observed|created|updated|when)(_|$)|(time|date|timestamp)$/i;
const bestTimeName = /^(event_?)?(time|timestamp|datetime|date|ts)$|^(observed|occurred)/i;
const itemName =
  /(^|_)(id|code|callsign|icao(24)?|mmsi|imo|registration|tail|name|station|vessel|ship|flight|vehicle|truck|car|bus|train|aircraft|plane|device|sensor|buoy|drone|tag|track|asset|unit|storm)$/i;
const titleName = /(^|_)(name|title|callsign|place|label)$/i;

/** Names derived from where the data are. */
export interface ProposedName {
  readonly id: string;
  /** Empty if the data is not in a folder. */
  readonly category: string;
  readonly categoryIs: "folder" | "schema";
}

/** The result of inspecting the data. */
interface Inspection {
  readonly columns: readonly Column[];
  readonly sample: Rows;
  /** Columns by which the source stores rows apart, outermost first. */
  readonly partitions?: readonly string[];
  /** Whether several rows share a value of this column. */
  readonly hasRepeatedValues: (column: string) => Promise<boolean>;
  /** Whether latitude and longitude are swapped in the data. */
  readonly isSwapped?: boolean;
}

const maxNameCharacters = 1_000;
const maxColumns = 1_000;

/** Proposes a dataset from inspected data. Guesses are listed in the notes, for review. */
export async function propose(
  { id, category, categoryIs }: ProposedName,
  source: InternalDataset["source"],
  { columns: all, sample: rows, partitions = [], hasRepeatedValues, isSwapped = false }: Inspection,
): Promise<Proposal> {
  const { included, problems } = usableColumns(all);
  const notes = [category === "" ? "The category is still to be written." : `The category '${category}' is the ${categoryIs}'s name.`];
  const plain = included.map((column): Column => Object.assign({}, column, { type: typeOf(column, rows, notes) }));
  const temporalField = timeOf(plain, notes);
  const { location, columns } = withLocation(plain, rows, isSwapped, notes);
  const item = await itemOf(plain, location !== null && temporalField !== null, hasRepeatedValues);
  const partitioned = partitionFilters(plain, partitions, temporalField, source.kind === "table" ? "table" : "data");
  notes.push(...partitioned.notes);
  const mapped = location !== null && temporalField !== null && item !== null;
  if (mapped) notes.push(`One map item per ${item}.`);
  else if (location !== null) notes.push("There is no map: it also needs a time and a column that identifies items.");
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
        staticFilters: partitioned.filters,
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
    problems,
  };
}

/** Leaves out columns whose names cannot be saved, as datasets refer to columns by their names in the data. */
function usableColumns(columns: readonly Column[]): { included: Column[]; problems: string[] } {
  const problems: string[] = [];
  const fitting = columns.filter(({ name }, index) => {
    const why = nameProblem(name);
    if (why === null) return true;
    problems.push(`Column ${index + 1} (${shownName(name)}) is left out: its name ${why}. Rename it in the data to include it.`);
    return false;
  });
  if (fitting.length > maxColumns) {
    problems.push(`${fitting.length - maxColumns} columns after the first ${maxColumns.toLocaleString("en-US")} are left out.`);
  }
  return { included: fitting.slice(0, maxColumns), problems };
}

function nameProblem(name: string): string | null {
  if (name.trim() === "") return "is empty";
  if (/[\p{Cc}\p{Cs}]/u.test(name)) return "contains a tab or another control character";
  return name.length > maxNameCharacters ? `is longer than ${maxNameCharacters.toLocaleString("en-US")} characters` : null;
}

/** Control characters are shown as escapes. */
const shownName = (name: string): string => JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);

/** Prefers columns with repeated values for maps, as the rows of one item share its value. */
async function itemOf(
  columns: readonly Column[],
  isForMap: boolean,
  hasRepeatedValues: Inspection["hasRepeatedValues"],
): Promise<string | null> {
  const candidates = columns
    .filter(({ name, type }) => itemName.test(name) && (type === "STRING" || type === "integer"))
    .map(({ name }) => name);
  if (isForMap) for (const name of candidates.slice(0, maxCandidates)) if (await hasRepeatedValues(name)) return name;
  return candidates[0] ?? null;
}

const maxCandidates = 8;

const unitNames: Partial<Record<ColumnType, string>> = { TIMESTAMP_SECONDS: "seconds", TIMESTAMP_MILLS: "milliseconds" };

/** Numeric columns with the name of a time and plausible values for recent times are timestamps. */
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

function withLocation(
  columns: readonly Column[],
  rows: Rows,
  isSwapped: boolean,
  notes: string[],
): { location: string | null; columns: Column[] } {
  const numbers = columns.flatMap(({ name, type }) => (isNumeric(type) ? [name] : []));
  const pair = coordinatePair(numbers, (name) => areFineDegrees(rows, name));
  if (pair === null) return { location: null, columns: [...columns] };
  const [latitude, longitude] = isSwapped ? [pair.longitude, pair.latitude] : [pair.latitude, pair.longitude];
  if (!arePlaces(rows, latitude, longitude)) {
    notes.push(`There is no location: most values of ${latitude} and ${longitude} are no degrees.`);
    return { location: null, columns: [...columns] };
  }
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  const location = ["location", "coordinates", "place_on_map"].find((name) => !taken.has(name)) ?? `${latitude} and ${longitude}`;
  notes.push(`Location: from ${latitude} and ${longitude}, as ${location}.`);
  const combined = { type: "COORDINATES" as const, fields: [latitude, longitude], joinedBy: ", " };
  return { location, columns: [...columns, { name: location, type: "STRING", description: "Latitude and longitude.", combined }] };
}

/** Whether most values have thousandths of degrees, as positions do and sizes seldom. */
function areFineDegrees(rows: Rows, column: string): boolean {
  const values = rows.flatMap((row) => (typeof row[column] === "number" ? [row[column]] : []));
  const fine = values.filter((value) => Math.abs(value) <= 360 && /\.[0-9]{3}/.test(String(value)));
  return values.length > 0 && fine.length * 2 > values.length;
}

/**
 * Whether at least half of the rows that have both numbers are places, possibly with latitude and longitude swapped: meters of a map are
 * none, whatever their columns are called.
 */
function arePlaces(rows: Rows, latitude: string, longitude: string): boolean {
  const pairs = rows.flatMap((row) => {
    const [lat, lng] = [row[latitude], row[longitude]];
    return lat === null || lat === undefined || lng === null || lng === undefined ? [] : [[Number(lat), Number(lng)] as const];
  });
  const isPlace = (lat: number, lng: number) => lat >= -90 && lat <= 90 && lng >= -180 && lng <= 360;
  const [straight, swapped] = [pairs.filter(([lat, lng]) => isPlace(lat, lng)), pairs.filter(([lat, lng]) => isPlace(lng, lat))];
  return Math.max(straight.length, swapped.length) * 2 >= pairs.length;
}
