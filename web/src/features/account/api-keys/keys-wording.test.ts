import { expect, it } from "vitest";
import { endingOf, lostText, nameProblem, scopeText } from "./keys-wording.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

it("counts the items in a key's scope", () => {
  expect(scopeText({ datasets: [storms], filesets: ["a", "b"], ecosystems: ["reef"] })).toBe("1 dataset, 2 filesets, 1 ecosystem");
  expect(scopeText({ datasets: [storms, storms], filesets: [], ecosystems: [] })).toBe("2 datasets");
});

it("lists what a key lost access to, and nothing when it lost nothing", () => {
  expect(lostText({ lost: { datasets: [storms], filesets: ["photos"], ecosystems: ["reef"] } })).toBe(
    "Lost access: Tropical weather / storm-tracks, Fileset photos, Ecosystem reef",
  );
  expect(lostText({ lost: { datasets: [], filesets: [], ecosystems: [] } })).toBeNull();
});

it("[KEYS-15] refuses an existing name, ignoring case and surrounding blanks", () => {
  for (const name of ["nightly", " NIGHTLY ", "Nightly"]) {
    expect(nameProblem(name, ["Nightly"], 100)).toBe("An API key with this name already exists.");
  }
  expect(nameProblem("Nightly 2", ["Nightly"], 100)).toBeNull();
});

it("refuses names that the gateway would refuse", () => {
  expect(nameProblem("x".repeat(101), [], 100)).toBe("A name has at most 100 characters.");
  expect(nameProblem("a/b", [], 100)).toBe("A name can't contain '/'.");
  expect(nameProblem("..", [], 100)).toBe("A name can't contain '/'.");
  expect(nameProblem("", ["Nightly"], 100)).toBeNull();
});

it("treats an end within a week as soon", () => {
  const now = Date.UTC(2026, 10, 21);
  const day = 86_400_000;
  expect(endingOf(null, now)).toBe("never");
  expect(endingOf(now, now)).toBe("ended");
  expect(endingOf(now + 7 * day - 1, now)).toBe("soon");
  expect(endingOf(now + 7 * day, now)).toBe("later");
});
