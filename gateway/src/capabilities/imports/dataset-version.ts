import type { Column } from "@fairway/contract/columns";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { ImportInto } from "@fairway/contract/imports";
import { withColumns } from "#own-data/dataset-columns.ts";
import type { OriginalFile, RowsFile } from "#own-data/tables.ts";
import type { MergedRows, NewVersion, OwnDatasetTarget } from "#own-data/target.ts";
import { withTime } from "./read-again.ts";
import type { CreationDraft, ImportResult } from "./tables.ts";

/** The columns of what the import has found; everything else is as it is set by then. */
export function versionOf(
  mode: ImportInto["mode"],
  {
    draft,
    result,
    rows,
    merged,
    given,
    by,
    target,
    follows,
  }: {
    draft: CreationDraft;
    result: ImportResult;
    rows: RowsFile;
    merged: MergedRows | null;
    given: readonly OriginalFile[];
    by: string;
    target: OwnDatasetTarget;
    follows: number | null;
  },
): NewVersion {
  const found = draft.settings.schema.columns;
  const keepsRows = mode === "append";
  return {
    kind: versionKinds[mode],
    keepsRows,
    rows,
    ...(merged === null ? {} : { merged }),
    given,
    ...(follows === null ? {} : { follows }),
    settings: (current) => changedSettings(current, draft.settings, keepsRows ? united(current.schema.columns, found) : found),
    reading: mode === "read-again" ? result.stored : readingOf(target, result),
    by,
  };
}

const versionKinds = { append: "appended", replace: "replaced", "read-again": "read-again" } as const;

/** The settings of now with other columns, and with the time of what was read if they have none. */
function changedSettings(current: OwnDatasetSettings, read: OwnDatasetSettings, columns: readonly Column[]): OwnDatasetSettings {
  return withTime(withColumns(current, columns), read);
}

/** Another import may have added columns meanwhile. */
function united(current: readonly Column[], found: readonly Column[]): Column[] {
  const names = new Set(found.map(({ name }) => name));
  return [...found, ...current.filter(({ name }) => !names.has(name))];
}

/** Decisions of before stay; new columns have those of the new files. */
function readingOf({ reading }: OwnDatasetTarget, { append, stored }: ImportResult): object | null {
  if (reading === null || stored === null) return reading ?? stored;
  const renamed = new Map(Object.entries(append?.renamed ?? {}));
  const columns = stored.columns.map((column) => Object.assign({}, column, { name: renamed.get(column.name) ?? column.name }));
  const names = new Set(columns.map(({ name }) => name));
  return { ...reading, columns: [...reading.columns.filter(({ name }) => !names.has(name)), ...columns] };
}
