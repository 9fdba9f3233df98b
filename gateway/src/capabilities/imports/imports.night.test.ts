import { expect, it, vi } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

it("reads many columns that are alike as it reads each of them alone", async () => {
  const app = shared();
  const rows = [
    ["1", "1.5", "2024-01-02 10:00:00", "2024-01-02", "true", "a", "12 %"],
    ["-20", "1,234.25", "2024-02-03 11:30:00", "2024-02-03", "false", "", "7.5 %"],
    ["", "n/a", "", "", "", "filled", ""],
    ["9007199254740993", "-0.125", "2024-03-04 12:45:30", "2024-03-04", "true", "text", "100 %"],
  ];
  const table = (copies: number) => {
    const names = Array.from({ length: copies }, (_, copy) =>
      ["int", "dec", "at", "day", "yes", "word", "share"].map((name) => `${name}_${copy}`),
    ).flat();
    const lines = rows.map((row) =>
      Array.from({ length: copies }, () => row.map((value) => `"${value}"`))
        .flat()
        .join(","),
    );
    return `${names.join(",")}\n${lines.join("\n")}\n`;
  };
  const read = async (copies: number) => {
    const { sample } = await app.read("ada", { "rows.csv": table(copies) });
    return sample?.rows.map(({ values }) => values) ?? [];
  };
  const [one, many] = [await read(1), await read(24)];
  expect(one).toHaveLength(4);
  expect(new Set(one.map((row) => typeof row["dec_0"]))).toContain("number");
  for (const copy of [0, 11, 23])
    expect(many.map((row) => Object.keys(one[0] ?? {}).map((name) => row[name.replace("_0", `_${copy}`)]))).toEqual(
      one.map((row) => Object.values(row)),
    );
});

it("has no value for numbers beyond all doubles, however many columns are alike", async () => {
  const app = shared();
  const table = (columns: number) => {
    const names = Array.from({ length: columns }, (_, index) => `c${index}`);
    const lines = Array.from({ length: 30 }, (_, row) => names.map(() => (row === 7 ? "9".repeat(400) : `${row}.5`)).join(","));
    return `${names.join(",")}\n${lines.join("\n")}\n`;
  };
  for (const columns of [1, 40]) {
    const { sample } = await app.read("ada", { "rows.csv": table(columns) });
    expect(sample?.rows.map(({ values }) => values["c0"]).slice(5, 9)).toEqual([5.5, 6.5, null, 8.5]);
  }
});

it("makes a dataset of a feature that is larger than most files", async () => {
  const app = shared();
  const coordinates = [Array.from({ length: 300_000 }, (_, index) => [index / 1_000, index / 2_000])];
  const feature = { type: "Feature", properties: { name: "coast" }, geometry: { type: "Polygon", coordinates } };
  const content = JSON.stringify({ type: "FeatureCollection", features: [feature] });
  const { id } = await app.upload("ada", { "coast.geojson": content });
  expect(await app.call("ada", "POST", `/imports/${id}/complete`)).toMatchObject({ status: 202 });
  const patiently = { timeout: 40_000 };
  expect(await vi.waitFor(() => app.settled("ada", id), patiently)).toMatchObject({ status: "ready", failure: null });
  expect(await app.call("ada", "POST", `/imports/${id}/dataset`, { name: "coast" })).toMatchObject({ status: 202 });
  expect(await vi.waitFor(() => app.settled("ada", id), patiently)).toMatchObject({ status: "done", failure: null });
});
