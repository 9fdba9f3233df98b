import { expect, it } from "vitest";
import { endingOf, lostText, nameProblem, scopeText } from "./keys-wording.ts";

const storms = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

it("counts what a key opens", () => {
  expect(scopeText({ datasets: [storms], filesets: ["a", "b"], ecosystems: ["reef"] })).toBe("1 dataset, 2 filesets, 1 ecosystem");
  expect(scopeText({ datasets: [storms, storms], filesets: [], ecosystems: [] })).toBe("2 datasets");
});

it("names what a key has lost, and nothing where it reaches all", () => {
  expect(lostText({ lost: { datasets: [storms], filesets: ["photos"], ecosystems: ["reef"] } })).toBe(
    "Lost access: Tropical weather / storm-tracks, Fileset photos, Ecosystem reef",
  );
  expect(lostText({ lost: { datasets: [], filesets: [], ecosystems: [] } })).toBeNull();
});

it("[KEYS-15] a name that exists is refused in any case and with blanks around it", () => {
  for (const name of ["nightly", " NIGHTLY ", "Nightly"]) {
    expect(nameProblem(name, ["Nightly"], 100)).toBe("An API key with this name already exists.");
  }
  expect(nameProblem("Nightly 2", ["Nightly"], 100)).toBeNull();
});

it("refuses a name that the gateway would refuse", () => {
  expect(nameProblem("x".repeat(101), [], 100)).toBe("A name has at most 100 characters.");
  expect(nameProblem("a/b", [], 100)).toBe("A name must not hold '/'.");
  expect(nameProblem("..", [], 100)).toBe("A name must not hold '/'.");
  expect(nameProblem("", ["Nightly"], 100)).toBeNull();
});

it("a key's end is near within a week", () => {
  const now = Date.UTC(2026, 10, 21);
  const day = 86_400_000;
  expect(endingOf(null, now)).toBe("never");
  expect(endingOf(now, now)).toBe("ended");
  expect(endingOf(now + 7 * day - 1, now)).toBe("soon");
  expect(endingOf(now + 7 * day, now)).toBe("later");
});
