import { expect, it } from "vitest";
import { faIconFiles } from "../web/fa-icons.ts";

it("every Font Awesome icon is a small separate file, also under its former names", () => {
  const files = faIconFiles();
  expect(files.size).toBeGreaterThan(1_900);
  expect(files.get("faAmbulance.json")).toBe(files.get("faTruckMedical.json"));
  expect(JSON.parse(files.get("fa0.json") ?? "")).toMatchObject({
    width: expect.any(Number),
    height: 512,
    path: expect.stringMatching(/^M/),
  });
  expect(Math.max(...[...files.values()].map(({ length }) => length))).toBeLessThan(12_000);
});
