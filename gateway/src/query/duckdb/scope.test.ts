import { describeAreaRules } from "#testing/area-rules-suite.ts";
import { describeScopes } from "#testing/scope-suite.ts";
import type { DatasetSource } from "#query/engine.ts";
import { engineBench } from "./test-files.ts";

async function files() {
  const bench = await engineBench();
  return {
    engine: bench.engine,
    store: async (name: string, select: string): Promise<DatasetSource> => {
      await bench.prepare(`copy (${select}) to 'FOLDER/${name}.parquet' (format parquet)`);
      return { kind: "files", glob: `${name}.parquet`, format: "parquet" };
    },
    close: () => bench.close(),
  };
}

describeScopes("files (DuckDB)", files);
describeAreaRules("files (DuckDB)", files);
