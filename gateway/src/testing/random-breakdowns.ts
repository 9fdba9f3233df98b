import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import type { RowCount } from "@fairway/contract/search";
import { expect } from "vitest";
import { timeColumn } from "./breakdown-oracle.ts";
import { expectAnswer, randomColumns, randomNumbers, randomRequest, randomTable } from "./breakdown-random.ts";
import { addDataset, buildColumn, buildFilterSupport, datasetApp } from "./dataset-app.ts";

export interface RandomBreakdowns {
  /** Asks for some breakdowns of a table and compares them with the oracle: how many. The same seed makes the same table and requests. */
  compared(seed: number, requests: number): Promise<number>;
  close(): Promise<void>;
}

export async function randomBreakdowns(): Promise<RandomBreakdowns> {
  const app = await datasetApp();
  const columns = Object.entries(randomColumns).map(([name, type]) => buildColumn(name, type));
  await addDataset(app, {
    id: "random",
    source: { kind: "files", glob: "random.parquet", format: "parquet" },
    schema: { columns },
    temporalField: timeColumn,
    filterSupport: buildFilterSupport({ supportsTimeRange: true }),
  });
  const post = <Body>(call: string, body: object) => app.call<Body>([], "POST", `/datasets/Tests/random/${call}`, body);
  return {
    compared: async (seed, requests) => {
      const random = randomNumbers(seed);
      const { select, rows } = randomTable(random, 1 + Math.floor(random() * 60));
      await app.bench.prepare(`copy (${select}) to 'FOLDER/random.parquet' (format parquet)`);
      for (let index = 0; index < requests; index += 1) {
        const request = randomRequest(random);
        const { status, body: answer } = await post<BreakdownAnswer>("breakdown", request);
        expect(status, JSON.stringify({ request, answer })).toBe(200);
        expectAnswer(request, answer, rows);
        const cell = answer.cells[Math.floor(random() * answer.cells.length)];
        const entries = cell?.at.map((place, axis) => answer.by[axis]?.entries[place]) ?? [];
        if (cell === undefined || entries.some((entry) => entry?.narrow == null)) continue;
        const filters = [...(request.search.filters ?? []), ...entries.flatMap((entry) => entry?.narrow?.filters ?? [])];
        const counted = await post<RowCount>("rowCount", { filters });
        expect(counted.body.rows, JSON.stringify({ request, filters })).toBe(cell.values[0]);
      }
      return requests;
    },
    close: () => app.close(),
  };
}
