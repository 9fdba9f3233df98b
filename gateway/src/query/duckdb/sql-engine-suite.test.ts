import { describeSqlEngine } from "#testing/sql-engine-suite.ts";
import { engineBench } from "./test-files.ts";

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
