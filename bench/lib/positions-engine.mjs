// @ts-check
// The engine on the dataset of 20 million positions, which is written once.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defaultLimits } from "@fairway/contract/limits";
import { openDuckDb } from "@fairway/gateway/query/duckdb/engine";
import { Scope } from "@fairway/gateway/query/scope";
import { positions } from "../positions.mjs";
import { dataFolder } from "./gateway-process.mjs";
import { duckDb } from "./gateway-modules.mjs";

export async function openPositions() {
  const { entity } = positions;
  const file = join(dataFolder, "measurements/positions/rows.parquet");
  const scratch = await mkdtemp(join(tmpdir(), "fairway-bench-positions-"));
  if (!existsSync(file)) {
    await mkdir(dirname(file), { recursive: true });
    const connection = await (await duckDb.DuckDBInstance.create(":memory:")).connect();
    await connection.run(`copy (${positions.select}) to '${file}' (format parquet, compression zstd)`);
    connection.closeSync();
  }
  const engine = await openDuckDb({
    dataFolder,
    tempFolder: join(scratch, "spill"),
    copyFolder: join(scratch, "converted"),
    exportFolder: join(scratch, "exports"),
    limits: defaultLimits,
    log: console,
  });
  /** @type {import("@fairway/gateway/query/engine").QueryableDataset} */
  const dataset = {
    category: entity.category,
    id: entity.id,
    source: entity.source,
    columns: entity.schema.columns.filter(({ combined }) => combined === null),
    temporalField: "at",
    location: { latitude: "latitude", longitude: "longitude" },
    orderBy: [],
    scope: Scope.whole,
    ownConditions: [],
    features: new Set(["SAMPLE", "PAGINATION", "COUNT"]),
  };
  return {
    engine,
    dataset,
    file,
    close: async () => {
      await engine.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
