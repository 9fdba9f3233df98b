import { describe, expect, it } from "vitest";
import { findMarkerIcon } from "./fa-icon.ts";

describe("the icon of markers", () => {
  it("is found by the name that a dataset gives, however it is written", async () => {
    const plane = await findMarkerIcon("plane");
    expect(plane?.path).toMatch(/^M/);
    expect(await Promise.all(["fa-plane", "faPlane", "fa-solid fa-plane"].map(findMarkerIcon))).toEqual([plane, plane, plane]);
    expect(await findMarkerIcon("tower-observation")).toMatchObject({ height: 512 });
  });

  it("is none where no icon has that name", async () => {
    expect(await Promise.all(["no-such-icon", "", "prefix", "fas"].map(findMarkerIcon))).toEqual([null, null, null, null]);
  });
});
