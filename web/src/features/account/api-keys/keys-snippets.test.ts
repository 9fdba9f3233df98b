import { expect, it } from "vitest";
import { buildDescription } from "#testing/dataset-builders.ts";
import { exportLine, snippet } from "./keys-snippets.ts";

// The web's types do not include Node, and only this test runs programs.
const { runInNewContext } = (await import(/* @vite-ignore */ ["node", "vm"].join(":"))) as {
  runInNewContext: (text: string, globals: object) => Promise<void>;
};

const hostile = buildDescription({
  category: { id: "Tropical weather", description: "" },
  datasetId: `storm's "tracks" \\ \${1}`,
  features: ["PAGINATION", "COUNT"],
});
const address = "https://portal.example/api/datasets/Tropical%20weather/storm's%20%22tracks%22%20%5C%20%24%7B1%7D";

/** Runs a JavaScript program with a fake `fetch` that returns one row. */
async function run(program: string): Promise<{ requests: unknown[]; printed: unknown[] }> {
  const requests: unknown[] = [];
  const printed: unknown[] = [];
  const fetch = (...call: unknown[]) => {
    requests.push(...call);
    return { ok: true, json: () => ({ results: [{ name: "Ana" }] }) };
  };
  const globals = { fetch, process: { env: { FAIRWAY_API_KEY: "fwk_key" } }, console: { log: (rows: unknown) => printed.push(rows) } };
  await runInNewContext(`(async () => {${program}\n})()`, globals);
  return { requests, printed };
}

it("JavaScript requests the first page with the key from the environment, whatever the dataset's name", async () => {
  const { requests, printed } = await run(snippet("JavaScript", hostile, "https://portal.example", 25));
  expect(requests).toEqual([
    `${address}/search`,
    {
      method: "POST",
      headers: { Authorization: "Bearer fwk_key", "Content-Type": "application/json" },
      body: JSON.stringify({ paging: { offset: 0, max: 25 }, filters: [] }),
    },
  ]);
  expect(printed).toEqual([[{ name: "Ana" }]]);
});

it("uses the sample of a dataset that requires a filter", async () => {
  const description = buildDescription({
    category: { id: "Aviation", description: "" },
    datasetId: "airports",
    filterSupport: { requiredOrFields: ["iata"] },
  });
  const sample = "https://portal.example/api/datasets/Aviation/airports/sample";
  const { requests } = await run(snippet("JavaScript", description, "https://portal.example", 25));
  expect(requests).toEqual([sample, { headers: { Authorization: "Bearer fwk_key" } }]);
  expect(snippet("Python", description, "https://portal.example", 25)).toContain(`"${sample}",\n    headers={`);
  expect(snippet("cURL", description, "https://portal.example", 25)).toContain(sample);
});

it("Python sends the same body as a string literal", () => {
  const program = snippet("Python", hostile, "https://portal.example", 25);
  const [, body = ""] = /data=("(?:[^"\\]|\\.)*")\.encode\(\)/.exec(program) ?? [];
  expect(JSON.parse(JSON.parse(body) as string)).toEqual({ paging: { offset: 0, max: 25 }, filters: [] });
  expect(program).toContain(`"${address}/search",`);
});

it("only the line that sets the variable contains the key, if it is known", () => {
  expect(exportLine("fwk_key")).toBe("export FAIRWAY_API_KEY='fwk_key'");
  expect(exportLine(undefined)).toBe("export FAIRWAY_API_KEY='YOUR_KEY'");
});
