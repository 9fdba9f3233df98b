import { expect, it } from "vitest";
import { buildDescription } from "#testing/dataset-builders.ts";
import { exportLine, snippet } from "./keys-snippets.ts";

// The web's types know no Node; only this test runs programs.
const { runInNewContext } = (await import(/* @vite-ignore */ ["node", "vm"].join(":"))) as {
  runInNewContext: (text: string, globals: object) => Promise<void>;
};

const hostile = buildDescription({
  category: { id: "Tropical weather", description: "" },
  datasetId: `storm's "tracks" \\ \${1}`,
  features: ["PAGINATION", "COUNT"],
});
const address = "https://portal.example/api/datasets/Tropical%20weather/storm's%20%22tracks%22%20%5C%20%24%7B1%7D";

/** What a JavaScript program asks for and prints, when the answer is one row. */
async function run(program: string): Promise<{ asked: unknown[]; printed: unknown[] }> {
  const asked: unknown[] = [];
  const printed: unknown[] = [];
  const fetch = (...call: unknown[]) => {
    asked.push(...call);
    return { ok: true, json: () => ({ results: [{ name: "Ana" }] }) };
  };
  const globals = { fetch, process: { env: { FAIRWAY_API_KEY: "fwk_key" } }, console: { log: (rows: unknown) => printed.push(rows) } };
  await runInNewContext(`(async () => {${program}\n})()`, globals);
  return { asked, printed };
}

it("JavaScript asks for the first page with the key of the environment, whatever the dataset is called", async () => {
  const { asked, printed } = await run(snippet("JavaScript", hostile, "https://portal.example", 25));
  expect(asked).toEqual([
    `${address}/search`,
    {
      method: "POST",
      headers: { Authorization: "Bearer fwk_key", "Content-Type": "application/json" },
      body: JSON.stringify({ paging: { offset: 0, max: 25 }, filters: [] }),
    },
  ]);
  expect(printed).toEqual([[{ name: "Ana" }]]);
});

it("a dataset that requires a filter is read by its sample", async () => {
  const description = buildDescription({
    category: { id: "Aviation", description: "" },
    datasetId: "airports",
    filterSupport: { requiredOrFields: ["iata"] },
  });
  const sample = "https://portal.example/api/datasets/Aviation/airports/sample";
  const { asked } = await run(snippet("JavaScript", description, "https://portal.example", 25));
  expect(asked).toEqual([sample, { headers: { Authorization: "Bearer fwk_key" } }]);
  expect(snippet("Python", description, "https://portal.example", 25)).toContain(`"${sample}",\n    headers={`);
  expect(snippet("cURL", description, "https://portal.example", 25)).toContain(sample);
});

it("Python sends the same body, written as a string of its own", () => {
  const program = snippet("Python", hostile, "https://portal.example", 25);
  const [, body = ""] = /data=("(?:[^"\\]|\\.)*")\.encode\(\)/.exec(program) ?? [];
  expect(JSON.parse(JSON.parse(body) as string)).toEqual({ paging: { offset: 0, max: 25 }, filters: [] });
  expect(program).toContain(`"${address}/search",`);
});

it("no program holds a key; only the line that sets the variable does, where it is known", () => {
  expect(exportLine("fwk_key")).toBe("export FAIRWAY_API_KEY='fwk_key'");
  expect(exportLine(undefined)).toBe("export FAIRWAY_API_KEY='YOUR_KEY'");
});
