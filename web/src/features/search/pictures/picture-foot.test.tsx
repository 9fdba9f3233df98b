import { expect, it } from "vitest";
import { layOutFoot } from "./picture-foot.ts";

const moment = "As of 08/29/2005, 6:00:00 PM UTC";

it("breaks conditions that are longer than a picture is wide, between words where it can, and keeps the moment", () => {
  const words = layOutFoot(["storm-tracks", "name = Katrina · ".repeat(20), moment], 400, "sans-serif");
  expect(words.lines.length).toBeGreaterThan(4);
  expect(words.lines[0]).toBe("storm-tracks");
  expect(words.lines[1]).toMatch(/^name = Katrina · .*[·=a]$/);
  expect(words.lines.at(-1)).toBe(moment);

  const long = layOutFoot(["storm-tracks", `name = ${"x".repeat(10_000)}`, moment], 400, "sans-serif");
  expect(long.lines).toHaveLength(8);
  expect(long.lines[6]).toMatch(/^x+…$/);
  expect(long.lines[7]).toBe(moment);
  expect(long.heightPx).toBe(8 * 18 + 20);
});
