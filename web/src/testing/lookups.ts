import { type DatasetDescription, datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { type LookupReport, lookups } from "@fairway/contract/lookups";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import type { ContractGateway } from "./contract-gateway.ts";

/** A served dataset with its rows. */
interface Served {
  readonly description: DatasetDescription;
  readonly rows: readonly ResultRow[];
}

/** Makes the gateway answer for lookups between datasets: keys are proposed by equal names, and compared by the recorded rows. */
export function serveLookups(gateway: ContractGateway, served: readonly Served[]): void {
  const refOf = ({ description: { category, datasetId } }: Served) => ({ datasetCategory: category.id, datasetId });
  const find = (ref: DatasetRef) => served.find((dataset) => datasetKey(refOf(dataset)) === datasetKey(ref));
  gateway.answer(lookups.targets, ({ params }) =>
    served
      .filter(({ description }) => description.datasetId !== params.datasetId)
      .map((dataset) => Object.assign(refOf(dataset), { reason: null, key: null })),
  );
  gateway.answer(lookups.report, ({ params, body }) => {
    const [ours, theirs] = [find({ datasetCategory: params.category, datasetId: params.datasetId }), find(body.dataset)];
    return reportOf(ours, theirs, body.key, body.column);
  });
}

function reportOf(
  ours: Served | undefined,
  theirs: Served | undefined,
  asked: LookupReport["key"] | undefined,
  column: string | undefined,
): LookupReport {
  const plain = (dataset: Served | undefined) => dataset?.description.schema.columns.filter(({ combined }) => combined === null) ?? [];
  const columns = plain(theirs).map(({ name }) => name);
  const same = plain(ours).find(({ name }) => columns.includes(name) && (column === undefined || name === column));
  const key = asked ?? (same === undefined ? [] : [{ column: same.name, on: same.name }]);
  const textOf = (row: ResultRow, names: readonly string[]) => JSON.stringify(names.map((name) => row[name] ?? null));
  const others = new Map<string, ResultRow[]>();
  for (const row of theirs?.rows ?? []) {
    const text = textOf(
      row,
      key.map(({ on }) => on),
    );
    others.set(text, [...(others.get(text) ?? []), row]);
  }
  const texts = (ours?.rows ?? []).map((row) =>
    textOf(
      row,
      key.map((pair) => pair.column),
    ),
  );
  const values = [...new Set(texts)];
  const repeated = [...others].filter(([, rows]) => rows.length > 1);
  return {
    key,
    columns,
    values: values.length,
    found: values.filter((text) => others.has(text)).length,
    complete: true,
    others: { keys: others.size, repeated: repeated.length, first: repeated[0] === undefined ? null : cells(repeated[0][0]) },
    rows: values.slice(0, 5).map((text) => ({ key: cells(text), values: others.get(text)?.[0] ?? null })),
  };
}

const cells = (text: string): CellValue[] => JSON.parse(text) as CellValue[];
