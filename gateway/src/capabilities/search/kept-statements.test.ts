import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { statementsOfFiles, statementsOfTables } from "#testing/kept-statements.ts";

const file = new URL("../../testing/kept-statements.json", import.meta.url);
const stored = async () => JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as Record<string, unknown>;

const servers = {
  duckdb: statementsOfFiles,
  trino: () => statementsOfTables("trino"),
  presto: () => statementsOfTables("presto"),
};

it.each(Object.keys(servers) as (keyof typeof servers)[])(
  "sends %s the statements that it sent for datasets without rules before there were any",
  async (name) => {
    const found = await servers[name]();
    // Recorded once, by the code from before there were rules.
    if (process.env["FAIRWAY_RECORD_STATEMENTS"]) {
      await writeFile(file, `${JSON.stringify({ ...(await stored()), [name]: found }, null, 2)}\n`);
    }
    expect(Object.keys(found).length).toBeGreaterThan(40);
    expect(found).toEqual((await stored())[name]);
  },
);
