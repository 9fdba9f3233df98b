import { describeScopes } from "#testing/scope-suite.ts";
import { engineBench } from "./test-files.ts";

describeScopes("files (DuckDB)", async () => {
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
