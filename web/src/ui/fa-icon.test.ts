import { beforeEach, describe, expect, it, vi } from "vitest";
import { findFaIcon } from "./fa-icon.ts";

describe("a Font Awesome icon", () => {
  const files = new Map([
    ["faPlane.json", { width: 576, height: 512, path: "M482 193" }],
    ["fa0.json", { width: 320, height: 512, path: "M0 192" }],
    ["faTowerObservation.json", { width: 512, height: 512, path: "M241 7" }],
  ]);
  let fetched: string[] = [];

  beforeEach(() => {
    fetched = [];
    vi.stubEnv("FAIRWAY_ICONS", "/icons");
    vi.stubGlobal("fetch", async (address: string) => {
      fetched.push(address);
      const content = files.get(address.replace("/icons/", ""));
      return content === undefined ? new Response("{}", { status: 404 }) : Response.json(content);
    });
  });

  it("is found by any spelling of its name and loads alone", async () => {
    const plane = await findFaIcon("plane");
    expect(plane).toEqual(files.get("faPlane.json"));
    expect(await Promise.all(["fa-plane", "faPlane", "fa-solid fa-plane"].map(findFaIcon))).toEqual([plane, plane, plane]);
    expect(new Set(fetched)).toEqual(new Set(["/icons/faPlane.json"]));
    expect(await findFaIcon("tower-observation")).toEqual(files.get("faTowerObservation.json"));
    expect(await findFaIcon("0")).toEqual(files.get("fa0.json"));
  });

  it("is null for an unknown name", async () => {
    expect(await Promise.all(["no-such-icon", "", "prefix", "fas", "../faPlane"].map(findFaIcon))).toEqual([null, null, null, null, null]);
    expect(fetched.join(" ")).not.toContain("..");
  });
});
