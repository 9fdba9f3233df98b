import { expect, it, vi } from "vitest";
import { drawCoarsely } from "#testing/pixels.ts";
import { openSea, itemsOf, pathOf, hourMs } from "#testing/map-canvases.ts";

it("does not draw the world again during playback, and sends data to the GPU by the number of paths, not of points", async () => {
  drawCoarsely();
  const sent = { data: 0, world: 0, largest: 0 };
  const { prototype } = WebGL2RenderingContext;
  const isData = (gl: WebGL2RenderingContext) => gl.canvas instanceof HTMLCanvasElement && gl.canvas.hasAttribute("aria-hidden");
  for (const name of ["bufferData", "bufferSubData", "texImage2D", "texSubImage2D", "drawArrays", "drawElements"] as const) {
    const original = prototype[name] as (...values: unknown[]) => void;
    vi.spyOn(prototype, name).mockImplementation(function (this: WebGL2RenderingContext, ...values: unknown[]) {
      const bytes = values.reduce<number>((sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : 0), 0);
      if (isData(this)) {
        sent.data += bytes;
        sent.largest = Math.max(sent.largest, bytes);
      } else sent.world += 1;
      Reflect.apply(original, this, values);
    });
  }
  // Drawn in the next frame and presented in the one after.
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const map = await openSea(null, { width: 1000, height: 600 });
  /** Data bytes and world draw calls during twenty frames, and the largest single upload before them. */
  const sentBy = async (points: number) => {
    const paths = Array.from({ length: 50 }, (_, path) =>
      pathOf(
        `p${path}`,
        Array.from({ length: points }, (_point, index) => [path - 35, -60 + (80 * index) / points, index / points, 0]),
      ),
    );
    map.setItems(itemsOf(paths.map(({ id }, path) => [id, path - 35, 20, 1, 0])));
    map.setPaths(paths, hourMs);
    map.setTime({ fromMs: 0, toMs: 1 });
    await frame();
    const { largest } = sent;
    // The labels of the world map appear gradually.
    for (let still = 0; still < 10; still++) {
      sent.world = 0;
      await frame();
      if (sent.world > 0) still = 0;
    }
    sent.data = 0;
    for (let turn = 1; turn <= 20; turn++) {
      map.setTime({ fromMs: 0, toMs: (hourMs * (turn + 0.5)) / 22 });
      await frame();
    }
    return { data: sent.data, world: sent.world, largest };
  };
  const [few, many] = [await sentBy(1_000), await sentBy(4_000)];
  expect(few.world).toBe(0);
  expect(many).toMatchObject({ world: 0, data: few.data });
  // Points are uploaded once with twelve bytes each; a frame of all fifty paths sends less than a fiftieth of that.
  expect(many.largest).toBeGreaterThanOrEqual(50 * 4_000 * 12);
  expect(many.data / 20).toBeLessThan(26_000);
  expect(many.data).toBeGreaterThan(0);
  map.destroy();
});
