import type { Column } from "@fairway/contract/columns";
import type { ProfiledColumn } from "@fairway/contract/dataset-profiles";
import { expect, it } from "vitest";
import { pictureOf } from "./picture.ts";

const column = (name: string, type: Column["type"], combined: Column["combined"] = null): Column => ({
  name,
  type,
  description: "",
  combined,
});
const profiled = (name: string, type: Column["type"], rest: Partial<ProfiledColumn>): ProfiledColumn => ({
  name,
  type,
  isApproximate: false,
  empty: 0,
  distinct: 1,
  min: null,
  max: null,
  top: [],
  histogram: [],
  ...rest,
});
const histogram = [
  { from: 20, to: 90, rows: 6 },
  { from: 90, to: 160, rows: 3 },
];

it("shows numbers and times as bars with their ends, texts as shares, everything else as how much is filled", () => {
  const columns = [
    column("wind", "integer"),
    column("time", "TIMESTAMP_SECONDS"),
    column("status", "STRING"),
    column("id", "STRING"),
    column("none", "STRING"),
    column("place", "STRING", { type: "COORDINATES", fields: ["wind", "lat"], joinedBy: ", " }),
    column("unknown", "STRING"),
  ];
  const distributions = {
    rows: 10,
    countedRows: 10,
    columns: [
      profiled("wind", "integer", { min: 20, max: 155, distinct: 7, empty: 1, histogram }),
      profiled("time", "TIMESTAMP_SECONDS", { min: 0, max: 86_400 * 40, distinct: 9, histogram }),
      profiled("status", "STRING", { distinct: 4, top: [5, 2, 1, 1].map((rows, index) => ({ value: `s${index}`, rows })) }),
      profiled("id", "STRING", { distinct: 10, isApproximate: true }),
      profiled("none", "STRING", { empty: 10, distinct: 0 }),
      profiled("lat", "decimal", { empty: 0 }),
    ],
  };
  const pictures = new Map(
    columns.flatMap((one) => {
      const picture = pictureOf(one, distributions, "UTC");
      return picture ? [[one.name, picture] as const] : [];
    }),
  );
  expect(Object.fromEntries([...pictures].map(([name, { captions }]) => [name, captions]))).toEqual({
    wind: ["20", "155"],
    time: ["01/01/1970", "02/10/1970"],
    status: ["s0 50%"],
    id: ["about 10 values"],
    none: ["all empty"],
    place: ["90% filled"],
  });
  expect(pictures.get("wind")).toMatchObject({ bars: [6, 3], text: "20 – 155, 7 values, 10% empty" });
  expect(pictures.get("status")).toMatchObject({ shares: [0.5, 0.2, 0.1], text: "s0 50%, 4 values" });
});
