import { operator } from "@fairway/contract/columns";
import { describeEngine, suiteColumns, suiteRows } from "#testing/engine-suite.ts";
import { datasetOver, engineBench } from "./test-files.ts";

const duckType = { integer: "bigint", decimal: "double", BOOLEAN: "boolean", STRING: "varchar" } as Readonly<Record<string, string>>;
const literal = (value: string | number | boolean | null): string => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`);

describeEngine("of files (DuckDB)", { sorts: true, pages: true, counts: true, maps: true }, async () => {
  const bench = await engineBench();
  const casts = Object.entries(suiteColumns).map(([name, type]) => `cast("${name}" as ${duckType[type] ?? ""}) as "${name}"`);
  const values = suiteRows.map((row) => `(${Object.values(row).map(literal).join(", ")})`);
  const names = Object.keys(suiteColumns).map((name) => `"${name}"`);
  await bench.prepare(
    `copy (select ${casts.join(", ")} from (values ${values.join(", ")}) as t(${names.join(", ")})) to 'FOLDER/suite.parquet' (format parquet)`,
  );
  return {
    engine: bench.engine,
    dataset: datasetOver("suite.parquet", suiteColumns),
    broken: datasetOver("absent.parquet", suiteColumns),
    operators: { n: operator.options, name: operator.options },
    close: () => bench.close(),
  };
});
