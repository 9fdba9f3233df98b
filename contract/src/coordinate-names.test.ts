import { expect, it } from "vitest";
import { coordinatePair, latitudeName, longitudeName } from "./coordinate-names.ts";

it.each([
  "lat",
  "Latitude",
  "start_lat",
  "GPS Lat",
  "decimalLatitude",
  "startLat",
  "lat_deg",
  "Latitude (°)",
  "lat_wgs84",
  "Breitengrad",
  "latitud",
  "Latitudine",
  "breedtegraad",
  "Geografische Breite",
  "breite_wgs84",
])("%s is the name of a latitude", (name) => {
  expect([latitudeName.test(name), longitudeName.test(name)]).toEqual([true, false]);
});

it.each([
  "lng",
  "LON",
  "long",
  "Longitude",
  "geo_long",
  "endLng",
  "Längengrad",
  "longitude_dd",
  "longitud",
  "Longitudine",
  "lengtegraad",
  "geogr. Länge",
  "Länge (°)",
])("%s is the name of a longitude", (name) => {
  expect([latitudeName.test(name), longitudeName.test(name)]).toEqual([false, true]);
});

it.each(["flat", "platform", "late", "along", "belong", "longname", "lat1", "relation", "Breite", "Länge", "szerokość"])(
  "%s is the name of neither",
  (name) => {
    expect([latitudeName.test(name), longitudeName.test(name)]).toEqual([false, false]);
  },
);

it.each([
  [["end_lat", "start_lng", "end_lng", "start_lat"], { latitude: "end_lat", longitude: "end_lng" }],
  [["decimalLongitude", "decimalLatitude"], { latitude: "decimalLatitude", longitude: "decimalLongitude" }],
  [["lat", "site_lng"], { latitude: "lat", longitude: "site_lng" }],
  [["lat", "name"], null],
])("of %j the pair is %j", (names, pair) => {
  expect(coordinatePair(names)).toEqual(pair);
});

it("takes words that are also those of sizes only where the values look like degrees", () => {
  const names = ["Standort", "Breite", "Länge"];
  expect(coordinatePair(names)).toBeNull();
  expect(coordinatePair(names, () => true)).toEqual({ latitude: "Breite", longitude: "Länge" });
});
