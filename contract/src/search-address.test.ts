import { expect, it } from "vitest";
import { addressedColumns, columnsOfAddress, searchAddressKeys, searchAddressParts } from "./search-address.ts";

it("no key of an address has two meanings", () => {
  const keys = searchAddressKeys.map(([key]) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(Object.keys(searchAddressParts.shape).filter((key) => !keys.some((known) => known === key))).toEqual([]);
});

it("an address keeps computed columns and lookups", () => {
  const columns = {
    computed: [
      { name: "late", expression: "delay > 15" },
      { name: "speed", expression: "distance / hours", unit: "kn" },
      { name: "day", expression: "start_of(at, 'day')", label: "Day" },
    ],
    lookups: [
      {
        id: "from",
        dataset: { datasetCategory: "Aviation", datasetId: "airports" },
        key: [{ column: "origin", on: "iata" }],
        columns: [{ from: "state", name: "origin_state" }],
      },
    ],
  };
  const parts = addressedColumns(columns);
  expect(parts.x?.[0]).toEqual(["late", "delay > 15"]);
  const read = searchAddressParts.parse(JSON.parse(JSON.stringify({ c: "Aviation", d: "flights", ...parts })));
  expect(columnsOfAddress(read)).toEqual(columns);
  expect(addressedColumns({})).toEqual({});
});
