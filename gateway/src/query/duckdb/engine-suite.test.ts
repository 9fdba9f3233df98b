import { operator } from "@fairway/contract/columns";
import { describeEngine, suiteColumns, suiteSelect } from "#testing/engine-suite.ts";
import { describeSqlEngine } from "#testing/sql-engine-suite.ts";
import { datasetOver, engineBench } from "./test-files.ts";

describeEngine("of files (DuckDB)", { sorts: true, pages: true, counts: true, maps: true }, async () => {
  const bench = await engineBench();
  await bench.prepare(`copy (${suiteSelect}) to 'FOLDER/suite.parquet' (format parquet)`);
  return {
    engine: bench.engine,
    dataset: datasetOver("suite.parquet", suiteColumns),
    broken: datasetOver("absent.parquet", suiteColumns),
    operators: { n: operator.options, name: operator.options },
    close: () => bench.close(),
  };
});

describeSqlEngine("files (DuckDB)", async () => {
  const bench = await engineBench();
  return {
    engine: bench.engine,
    precise: true,
    types: {
      double: "double",
      seconds: "timestamp_s",
      millis: "timestamp_ms",
      micros: "timestamp",
      nanos: "timestamp_ns",
      zoned: "timestamptz",
      fields: "struct(a integer, b varchar)",
    },
    exportFolder: bench.exportFolder,
    store: async (name, select) => {
      await bench.prepare(`copy (${select}) to 'FOLDER/${name}.parquet' (format parquet)`);
      return { kind: "files", glob: `${name}.parquet`, format: "parquet" };
    },
    absent: { kind: "files", glob: "absent.parquet", format: "parquet" },
    close: () => bench.close(),
  };
});
