import { entityDefinitions } from "@fairway/contract/administration";
import type { Column } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { ComputedColumn } from "@fairway/contract/derived-columns";
import { ownDatasetForm } from "@fairway/contract/own-dataset-form";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import { check } from "@fairway/expressions/check";
import { call } from "#lib/gateway/call.ts";
import { isStaleVersion } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { plainColumns } from "#parts/formula/formula-preview.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import { leaveToDataset } from "./added-columns.ts";

// Apart from the dialog: few searches keep a column.

/** After this many changes by others in between, the user is told. */
const maxTries = 3;

/**
 * Makes a column of a search, called `replaced` until now, one of its dataset. The search goes on without a column of its own. Rejects
 * with the reason why the dataset cannot have it.
 */
export async function keepColumn(
  record: SearchRecord,
  own: OwnDataset | undefined,
  replaced: string | null,
  column: ComputedColumn,
): Promise<void> {
  const { category, datasetId } = record.datasetDescription;
  const dataset = { datasetCategory: category.id, datasetId };
  const ofDataset = record.datasetDescription.schema.columns.filter(({ name }) => !isOfSearch(record, name));
  const kept = columnOf(column, ofDataset, record);
  await (own === undefined ? keepAdministered(dataset, kept) : keepOwn(own.id, kept));
  await refreshDatasets();
  await queryClient.fetchQuery({ ...describeQuery(dataset.datasetCategory, datasetId), staleTime: 0 });
  await leaveToDataset(record, replaced, column.name);
  toastSuccess(`${column.name} is a column of the dataset now`, 2000);
}

const isOfSearch = ({ added }: SearchRecord, column: string): boolean =>
  added?.computed?.some(({ name }) => name === column) === true ||
  added?.lookups?.some(({ columns }) => columns.some(({ name }) => name === column)) === true;

function columnOf({ name, expression, unit, label }: ComputedColumn, usable: readonly Column[], record: SearchRecord): Column {
  const { result, errors = [] } = check(expression, plainColumns(usable));
  if (result === undefined) {
    const all = check(expression, plainColumns(record.datasetDescription.schema.columns));
    const isOnlyHere = all.result !== undefined;
    throw new Error(
      isOnlyHere
        ? "The formula uses a column that only this search has. Keep that one in the dataset first."
        : errors.map(({ message }) => message).join(" "),
    );
  }
  return {
    name,
    type: result.type,
    description: "",
    combined: null,
    computed: { expression },
    ...(result.day ? { day: true } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(label === undefined ? {} : { label }),
  };
}

/** Refuses a name that another column has by now. */
function withColumn(columns: readonly Column[], kept: Column): Column[] {
  const taken = columns.find(({ name }) => name.toLowerCase() === kept.name.toLowerCase());
  if (taken !== undefined) throw new Error(`There is another column '${taken.name}' in the dataset.`);
  return [...columns, kept];
}

async function keepOwn(id: string, kept: Column): Promise<void> {
  await untilCurrent(async () => {
    const { settings, version } = await call(ownDatasetForm.one, { params: { id } });
    const changed = { ...settings, schema: { ...settings.schema, columns: withColumn(settings.schema.columns, kept) } };
    await call(ownDatasetForm.save, { params: { id }, body: { version, settings: changed } });
  });
}

const { get, edit } = entityDefinitions["datasets/internal"].routes;

async function keepAdministered({ datasetId }: DatasetRef, kept: Column): Promise<void> {
  await untilCurrent(async () => {
    const { warnings: _, ...entity } = await call(get, { params: { id: datasetId } });
    const schema = entity["schema"] as { columns: Column[] };
    await call(edit, { body: { ...entity, schema: { ...schema, columns: withColumn(schema.columns, kept) } } });
  });
}

/** Begins anew with what somebody else has saved in between. */
async function untilCurrent(save: () => Promise<void>, tries = 1): Promise<void> {
  try {
    await save();
  } catch (error) {
    if (!isStaleVersion(error) || tries >= maxTries) throw error;
    await untilCurrent(save, tries + 1);
  }
}
