import { describeDerivedColumns } from "#testing/derived-columns-suite.ts";
import { engineBench } from "./test-files.ts";

describeDerivedColumns("files (DuckDB)", { formulas: 40, rows: 150, seeds: [1] }, async () => {
  const bench = await engineBench();
  return {
    engine: bench.engine,
    store: async (name, select) => {
      await bench.prepare(`copy (${select}) to 'FOLDER/${name}.parquet' (format parquet)`);
      return { kind: "files", glob: `${name}.parquet`, format: "parquet" };
    },
    close: () => bench.close(),
  };
});
