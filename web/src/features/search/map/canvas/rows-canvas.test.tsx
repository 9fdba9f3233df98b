import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { container, height, openContainer, width } from "#testing/map-canvases.ts";
import { openOnce } from "#testing/open-once.tsx";
import { isSimilarColor, mapColors, type Point, type Rgb, takePicture } from "#testing/pixels.ts";
import { openRowsCanvas } from "./open-rows-canvas.ts";
import type { DrawnCells } from "./cell-layer.ts";
import type { RowsCanvas } from "./rows-canvas.ts";

const { sea } = mapColors;
const [gray, ...steps] = ["rgb(90, 90, 90)", "rgb(0, 120, 0)", "rgb(0, 0, 200)", "rgb(200, 0, 0)"];
const [green, blue, red] = [
  [0, 120, 0],
  [0, 0, 200],
  [200, 0, 0],
] as const satisfies readonly Rgb[];
/** At this zoom, the world is 3,600 pixels wide and a cell of level 6 is 56.25 pixels. */
const zoom = Math.log2(3_600 / 512);
const level = 6;
const cellPixels = 3_600 / 2 ** level;
const center = { lng: -20, lat: -10 };
const projectedLatitude = (latitude: number) => 0.5 - Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) / (2 * Math.PI);

/** The middle of a cell on the map. */
const middleOf = (x: number, y: number, lng = center.lng): Point => ({
  x: width / 2 + (x + 0.5) * cellPixels - ((lng + 180) / 360) * 3_600,
  y: height / 2 + (y + 0.5) * cellPixels - projectedLatitude(center.lat) * 3_600,
});

const cellsOf = (cells: readonly (readonly [x: number, y: number, color: number])[]): DrawnCells => ({
  level,
  x: Int32Array.from(cells, ([x]) => x),
  y: Int32Array.from(cells, ([, y]) => y),
  colors: Uint8Array.from(cells, ([, , color]) => color),
});

const expectColors = (...expected: [point: Point, color: Rgb][]) =>
  expect
    .poll(async () => {
      const shot = await takePicture(container());
      return expected.flatMap(([point, color]) =>
        isSimilarColor(shot.colorAt(point), color) ? [] : [{ point, seen: shot.colorAt(point) }],
      );
    })
    .toEqual([]);

describe("cells", () => {
  let map: RowsCanvas;
  openOnce(async () => {
    map = await openRowsCanvas(openContainer(), { viewpoint: { ...center, zoom } });
    map.setColors([gray ?? "", ...steps]);
  });
  afterAll(() => map.destroy());
  beforeEach(() =>
    map.setDrawing({
      cells: cellsOf([
        [26, 33, 1],
        [27, 33, 2],
        [27, 34, 3],
        [29, 34, 0],
      ]),
      dots: null,
    }),
  );

  it("are filled with the colors of their steps, with a hairline of ground between them", async () => {
    const { x, y } = middleOf(26, 33);
    await expectColors([{ x, y }, green], [middleOf(27, 33), blue], [middleOf(27, 34), red], [middleOf(26, 34), sea]);
    const picture = await takePicture(container());
    const line = Array.from({ length: 12 }, (_, offset) => picture.colorAt({ x: Math.round(x + cellPixels / 2) - 6 + offset, y }));
    const ground = line.filter((color) => !isSimilarColor(color, green) && !isSimilarColor(color, blue));
    // A screenshot may blur it into its neighbors.
    expect(ground.length).toBeGreaterThan(0);
    expect(ground.length).toBeLessThan(4);
  });

  it("have only a border without a value", async () => {
    const { x, y } = middleOf(29, 34);
    await expectColors([{ x, y }, sea]);
    const picture = await takePicture(container());
    const edge = Array.from({ length: 8 }, (_, offset) => picture.colorAt({ x: Math.round(x - cellPixels / 2) - 4 + offset, y }));
    expect(Math.min(...edge.map(([red]) => red))).toBeLessThan(sea[0] - 40);
  });

  it("keep their colors while the map moves", async () => {
    map.lookAt({ ...center, lng: center.lng + 4 });
    await expectColors([middleOf(26, 33, center.lng + 4), green], [middleOf(27, 34, center.lng + 4), red]);
    map.lookAt(center);
    await expectColors([middleOf(26, 33), green]);
  });

  it("are drawn in every copy of the world, and are outlined when they are selected", async () => {
    map.setOutlines({ selected: { level, x: 26, y: 33 }, hovered: null });
    const { x, y } = middleOf(26, 33);
    await expect
      .poll(async () => isSimilarColor((await takePicture(container())).colorAt({ x: Math.round(x - cellPixels / 2), y }), green))
      .toBe(false);
    map.setOutlines({ selected: null, hovered: null });
    map.lookAt({ lng: 340, lat: -10 });
    await expectColors([middleOf(26, 33), green]);
  });

  it("are replaced by dots, which have the color of their step", async () => {
    const [dotX, dotY] = [Math.round(((center.lng + 180) / 360) * 2 ** 28), Math.round(projectedLatitude(center.lat) * 2 ** 28)];
    map.lookAt(center);
    map.setDrawing({ cells: null, dots: { x: Int32Array.of(dotX), y: Int32Array.of(dotY), colors: Uint8Array.of(3) } });
    await expectColors([{ x: width / 2, y: height / 2 }, red], [middleOf(26, 33), sea]);
    expect(map.groups).toEqual([{ x: dotX, y: dotY, rows: [0] }]);
    map.setOutlines({ selected: null, hovered: null, dot: center });
    await expect
      .poll(async () => isSimilarColor((await takePicture(container())).colorAt({ x: width / 2 + 8, y: height / 2 }), sea))
      .toBe(false);
  });
});
