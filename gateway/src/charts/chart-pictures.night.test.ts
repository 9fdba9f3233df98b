import type { ChartDrawing } from "@fairway/contract/charts/drawing";
import { graphTypes } from "@fairway/contract/charts/graph";
import { expect, it, onTestFinished } from "vitest";
import { ChartPictures } from "./chart-pictures.ts";

const size = { widthPx: 440, heightPx: 280, ratio: 2.5 };
const call = { signal: new AbortController().signal, owner: "ada" };

function drawing(
  groups: number,
  columns: number,
  { type = "bar", label = "Group" }: Partial<{ type: "bar" | "line" | "doughnut" | "pie"; label: string }> = {},
): ChartDrawing {
  return {
    kind: "graph",
    style: { type, stacked: false, logAxis: false },
    hidden: [],
    model: {
      groups: Array.from({ length: groups }, (_, index) => ({
        id: `${index}`,
        label: `${label} ${index}`,
        color: "#099bf1",
        time: null,
        conditions: [],
      })),
      columns: Array.from({ length: columns }, (_, index) => ({
        label: `${label} ${index}`,
        unit: "",
        measure: "count",
        color: "#099bf1",
        column: { id: `${index}`, model: "*", aggregation: "count", color: "#099bf1" },
      })),
      values: Array.from({ length: groups }, (_, row) =>
        Array.from({ length: columns }, (_unused, column) => ((row * 7 + column * 13) % 50) - 5),
      ),
    },
  };
}

function open(timeoutMs: number) {
  const failures: unknown[] = [];
  const charts = new ChartPictures({ timeoutMs, onFailure: (error) => failures.push(error) });
  onTestFinished(() => charts.close());
  return { charts, failures };
}

it("draws charts of every type and of the largest size, without failures", async () => {
  const { charts, failures } = open(120_000);
  const times: string[] = [];
  const draw = async (name: string, one: ChartDrawing) => {
    const started = performance.now();
    const png = await charts.png(one, size, call);
    times.push(`${name} ${Math.round(performance.now() - started)} ms, ${Math.round((png?.byteLength ?? 0) / 1_000)} kB`);
    return png;
  };
  for (const type of graphTypes) expect(await draw(type, drawing(30, 3, { type }))).not.toBeNull();
  for (const type of ["bar", "line"] as const) {
    expect(await draw(`largest ${type}`, drawing(625, 16, { type }))).not.toBeNull();
    expect(await draw(`longest ${type}`, drawing(10_000, 1, { type }))).not.toBeNull();
  }
  process.stdout.write(`charts: ${times.join("; ")}\n`);
  expect(failures).toEqual([]);
});

it.each([
  ["too many values", drawing(10_001, 1)],
  ["too many columns", drawing(10, 17)],
  ["letters that the fonts lack", drawing(3, 1, { label: "未来" })],
  ["emoji", drawing(3, 1, { label: "🚢" })],
])("does not draw a chart with %s", async (_, one) => {
  const { charts, failures } = open(120_000);
  expect(await charts.png(one, size, call)).toBeNull();
  expect(failures).toEqual([]);
});

it("says why a chart could not be drawn in time, and draws the next one", async () => {
  const hasty = open(1);
  expect(await hasty.charts.png(drawing(625, 16), size, call)).toBeNull();
  expect(hasty.failures).toMatchObject([{ name: "WorkerEnded", why: "timed-out" }]);
  const { charts } = open(120_000);
  const gone = new AbortController();
  gone.abort();
  expect(await charts.png(drawing(3, 1), size, { ...call, signal: gone.signal })).toBeNull();
  expect(await charts.png(drawing(3, 1), size, call)).not.toBeNull();
});

it("writes what users have named as text, whatever it is", async () => {
  const { charts } = open(120_000);
  const label = `</text><image href="file:///etc/passwd"/><script>alert(1)</script>&amp;\u0000\u0008`;
  expect(await charts.png(drawing(3, 2, { label }), size, call)).not.toBeNull();
});
