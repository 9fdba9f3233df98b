import { describe, expect, it } from "vitest";
import { linesOf, readingBench, valuesOf } from "./reading-bench.ts";

const { csv, json } = readingBench();

describe("positions in one column", () => {
  it.each([
    ["location", "52.5, 13.4", "assumed"],
    ["lat, lng", "52.5,13.4", "sure"],
    ["GPS", "(52.5, 13.4)", "assumed"],
    ["coordinates", "52.5 13.4", "assumed"],
    ["lng_lat", "[13.4; 52.5]", "sure"],
    ["location", "52,5; 13,4", "assumed"],
    ["position", "52,5 13,4", "assumed"],
    ["place", "{'type': 'Point', 'coordinates': [13.4, 52.5, 34]}".replaceAll("'", '"'), "sure"],
    ["geom", "POINT (13.4 52.5)", "sure"],
    ["shape", "point z(1.34e1 52.5 7)", "sure"],
    ["the_geom", "SRID=4326;POINT(13.4 52.5)", "sure"],
  ])("'%s' with '%s' becomes latitude and longitude", async (name, text, state) => {
    for (const read of [
      await csv(linesOf(`"${name}",n`, `"${text.replaceAll('"', '""')}",1`, `"${text.replaceAll('"', '""')}",2`)),
      await json(linesOf(...[1, 2].map((n) => JSON.stringify({ [name]: text, n })))),
    ]) {
      expect(read.rows[1]).toEqual({ [name]: text, n: 2, latitude: 52.5, longitude: 13.4 });
      expect(read.columns.get("latitude")).toMatchObject({ type: "decimal", state });
      expect(read.columns.get("latitude")?.sentence).toContain(`The latitude in '${name}'.`);
    }
  });

  it.each([
    ["range", "1.5, 2.5"],
    ["location", "5, 7"],
    ["location", "[13.4, 52.5]"],
    ["location", "1234.5, 13.4"],
    ["geom", "POINT (500000 5800000)"],
    ["geom", "LINESTRING (1 2, 3 4)"],
  ])("'%s' with '%s' is no place", async (name, text) => {
    const read = await csv(linesOf(`${name},n`, `"${text}",1`, `"${text}",2`));
    expect([...read.columns.keys()]).toEqual([name, "n"]);
  });

  it("counts values that are no position, with their lines", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `"${index}.5, 7.25",x`);
    const read = await csv(linesOf("location,n", ...rows, "somewhere,x", ",x", "n/a,x"));
    expect(read.columns.get("longitude")).toMatchObject({
      filled: 21,
      empty: 2,
      state: "mixed",
      unreadable: { count: 1, first: [{ line: 22, text: "somewhere" }] },
    });
  });

  it("stays derived in later files, and by the same names", async () => {
    const before = await csv(linesOf("location,n", '"52.5, 13.4",1', '"48.1, 11.6",2'));
    const read = await csv(linesOf("location,n", "here,1", '"48.1, 11.6",2'), { stored: before.stored });
    expect(valuesOf(read, "latitude")).toEqual([null, 48.1]);
    expect(read.stored.columns).toContainEqual(
      expect.objectContaining({ name: "longitude", derived: { column: "location", part: "longitude" } }),
    );
  });

  it("is not derived where the file has coordinates anyway", async () => {
    const read = await csv(linesOf("lat;lng;location", "52.5;13.4;52.5, 13.4", "48.1;11.6;48.1, 11.6"));
    expect([...read.columns.keys()]).toEqual(["lat", "lng", "location"]);
  });

  it("derives from several columns by their names", async () => {
    const read = await csv(linesOf("from;to", "POINT (13.4 52.5);POINT (1.5 2.5)", "POINT (13.5 52.6);POINT (2.5 3.5)"));
    expect(read.rows[0]).toMatchObject({ from_latitude: 52.5, from_longitude: 13.4, to_latitude: 2.5, to_longitude: 1.5 });
  });

  it("asks whether they are swapped if only that makes them places", async () => {
    const { reading } = await csv(linesOf("location;n", "113.4, 52.5;1", "111.6, 48.1;2"));
    expect(reading.questions).toMatchObject([{ question: "swappedPlaces", columns: ["latitude", "longitude"] }]);
  });
});

describe("numbers of JSON and of positions", () => {
  it("have points, whatever the mark of other columns is", async () => {
    const content = linesOf(
      '{"number":1.125,"comma":"0,5","location":"52.520, 13.405"}',
      '{"number":2.125,"comma":"0,7","location":"52.521, 13.406"}',
    );
    const read = await json(content);
    expect(read.rows[0]).toMatchObject({ number: 1.125, comma: 0.5, latitude: 52.52, longitude: 13.405 });
    expect(read.columns.get("number")).toMatchObject({ sentence: "Numbers.", also: [{ type: "STRING" }] });
  });
});

describe("coordinates by name and range", () => {
  it("names the first value that is no degree", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `${index},${index}`);
    const { reading } = await csv(linesOf("decimalLatitude,decimalLongitude", ...rows, "95.5,13.4"));
    expect(reading.sentences).toEqual(["1 value of 'decimalLatitude' is outside of -90 to 90 (line 22: '95.5') and no valid position."]);
  });

  it("asks about the pair that belongs together", async () => {
    const content = linesOf("end_lat,start_lng,end_lng,start_lat", "113.5,1,52.5,2", "114.5,1,53.5,2");
    expect((await csv(content)).reading.questions).toMatchObject([{ question: "swappedPlaces", columns: ["end_lat", "end_lng"] }]);
  });
});
