import type { Column } from "@fairway/contract/columns";
import type { Drift } from "@fairway/contract/imports";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { StoredReading } from "@fairway/contract/readings";
import { withColumns } from "#own-data/dataset-columns.ts";
import type { OriginalFile } from "#own-data/tables.ts";
import type { EngineCall } from "#query/engine.ts";
import { goesWithIt, isNeeded, plainOf, typeNames, usesOf } from "./dataset-drift.ts";
import { brokenColumns, type DerivedProblems } from "./derived-drift.ts";
import { readFiles, type ReadingParts, type ReadRequest } from "./read-files.ts";
import type { ImportResult } from "./tables.ts";

export interface OriginalsTarget {
  readonly settings: OwnDatasetSettings;
  readonly reading: StoredReading | null;
  readonly originals: readonly OriginalFile[];
}

/**
 * Reads the files that a dataset was made of, as it stores how they are read and with the choices of the import. What the dataset loses
 * by that is listed as differences.
 */
export async function readAgain(
  parts: ReadingParts & { readonly derivedProblems: DerivedProblems },
  request: ReadRequest,
  { settings, reading, originals }: OriginalsTarget,
  call: EngineCall,
): Promise<ImportResult> {
  const stored = reading === null || request.format === "parquet" ? undefined : readingOf(reading, originals);
  const found = await readFiles(parts, { ...request, ...(stored && { reading: stored }) }, call);
  const known = plainOf(settings);
  const columns = plainOf(found.settings);
  const names = new Set(columns.map(({ name }) => name));
  const missing = known.filter(({ name }) => !names.has(name));
  const needed = missing.filter(({ name }) => isNeeded(name, settings));
  const changed = withTime(withColumns(settings, columns), found.settings);
  return {
    ...found,
    settings: changed,
    drift: [
      ...columns.filter(({ name }) => !known.some((one) => one.name === name)).map(newColumn),
      ...missing.map(({ name }) =>
        missingColumn(
          name,
          needed.some((one) => one.name === name),
          settings,
        ),
      ),
      ...known.flatMap((column) => otherType(column, columns, settings)),
      ...(await brokenColumns(parts.derivedProblems, settings, changed)),
    ],
    append: { columns, renamed: {}, reading: stored ?? null, needed: needed.map(({ name }) => name) },
  };
}

/**
 * The stored reading, as far as it can be that of all files: each file that was added later has shown its encoding and its delimiter
 * itself.
 */
function readingOf(reading: StoredReading, originals: readonly OriginalFile[]): StoredReading {
  if (new Set(originals.map(({ readBy, addedMs }) => readBy ?? addedMs)).size === 1) return reading;
  const {
    encoding: _,
    delimiter: _delimiter,
    quote: _quote,
    headerLine: _line,
    skipLines: _skip,
    path: _path,
    sheet: _sheet,
    sheets: _sheets,
    ...rest
  } = reading;
  return rest;
}

/** A dataset without a time gets the one that has been found. */
export function withTime(settings: OwnDatasetSettings, found: OwnDatasetSettings): OwnDatasetSettings {
  const { filterSupport } = settings;
  if (settings.temporalField !== null || found.temporalField === null) return settings;
  return { ...settings, temporalField: found.temporalField, filterSupport: { ...filterSupport, supportsTimeRange: true } };
}

const newColumn = ({ name }: Column): Drift => ({
  kind: "new-column",
  column: name,
  sentence: `The column '${name}' is new. Leave it out to do without it.`,
});

function missingColumn(column: string, isNeededColumn: boolean, settings: OwnDatasetSettings): Drift {
  const uses = usesOf(column, settings);
  const consequence = isNeededColumn ? ": the dataset does not work without it." : goesWithIt(uses);
  return { kind: "missing-column", column, sentence: `There is no column '${column}' any more${consequence}` };
}

/** A column that other things use as what it was. */
function otherType({ name, type }: Column, columns: readonly Column[], settings: OwnDatasetSettings): Drift[] {
  const now = columns.find((column) => column.name === name);
  if (now === undefined || now.type === type) return [];
  const uses = usesOf(name, settings, now.type);
  if (uses.length === 0) return [];
  return [{ kind: "does-not-fit", column: name, sentence: `'${name}' becomes ${typeNames[now.type]}${goesWithIt(uses)}` }];
}
