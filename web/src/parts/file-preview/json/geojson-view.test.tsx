import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { expectAccessible } from "#testing/accessibility.ts";
import { openPreview, previewFile } from "#testing/preview-harness.tsx";
import { serveFiles } from "#testing/served-files.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const view = (name: string) => page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true });
const square = {
  type: "Polygon",
  coordinates: [
    [
      [-100, 20],
      [-60, 20],
      [-60, 50],
      [-100, 50],
      [-100, 20],
    ],
  ],
};
const area = { type: "Feature", properties: { name: "Gulf <b>", wind: 150 }, geometry: square };

it("draws features on the map with what is known about them, and switches to a table and to the text", async () => {
  const nowhere = { type: "Feature", properties: { name: "Nowhere", wind: 9 }, geometry: { type: "Point", coordinates: [1e9, 0] } };
  const text = JSON.stringify({ type: "FeatureCollection", features: [area, nowhere] });
  serveFiles({ "areas.geojson": text });
  openPreview([previewFile("areas.geojson", text.length)]);
  await button("Preview anyway").click();
  const map = page.getByRole("region", { name: "Features on the map" });
  await expect.element(map).toHaveAttribute("data-ready", "true");
  await expect.element(page.getByText(/^2 features/)).toBeVisible();
  await expect.element(page.getByRole("note")).toHaveTextContent("1 feature without a place on the map.");
  await expect
    .poll(async () => {
      await map.click();
      return page.getByRole("region", { name: "Gulf <b>" }).query() !== null;
    })
    .toBe(true);
  await expect.element(page.getByRole("region", { name: "Gulf <b>" })).toHaveTextContent("nameGulf <b>wind150");
  await button("Close feature").click();
  await view("Table").click();
  await button("wind").click();
  await expect.element(page.getByRole("row").nth(1)).toHaveTextContent("2Nowhere9");
  await expectAccessible();
  await view("Text").click();
  await expect.element(page.getByRole("region", { name: "Text" })).toHaveTextContent('{"type":"FeatureCollection"');
});

it("opens a file without a place on the map as a table", async () => {
  const text = JSON.stringify({ type: "Feature", properties: { name: "Far" }, geometry: { type: "Point", coordinates: [900, 900] } });
  serveFiles({ "far.geojson": text });
  openPreview([previewFile("far.geojson", text.length)]);
  await button("Preview anyway").click();
  await expect.element(page.getByRole("cell", { name: "Far" })).toBeVisible();
  await expect.element(page.getByRole("note")).toHaveTextContent("1 feature without a place on the map.");
});

it("reports a file that is not GeoJSON", async () => {
  const text = '{"type":"Topology"}';
  serveFiles({ "bad.geojson": text });
  openPreview([previewFile("bad.geojson", text.length)]);
  await button("Preview anyway").click();
  await expect.element(page.getByRole("alert")).toHaveTextContent("Error loading preview, try again or download the file.");
  await expect.element(page.getByRole("alert")).toHaveTextContent("The file is not GeoJSON: its type is unknown.");
});
