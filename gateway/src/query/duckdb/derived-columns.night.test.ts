import { describeDerivedColumns } from "#testing/derived-columns-suite.ts";
import { engineBench } from "./test-files.ts";

const seeds = Array.from({ length: 30 }, (_, index) => index + 2);

describeDerivedColumns("files (DuckDB), at length", { formulas: 30, rows: 400, seeds }, async () => {
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
