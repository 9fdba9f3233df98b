import { expect, it, vi } from "vitest";
import { NoWebGl, openMapCanvas } from "./open-map-canvas.ts";

it("rejects with NoWebGl in a browser without WebGL", async () => {
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
  const container = document.createElement("div");
  document.body.append(container);
  await expect(openMapCanvas(container, { icon: null, highlights: [], bounds: null })).rejects.toBeInstanceOf(NoWebGl);
});
