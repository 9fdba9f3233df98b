import { newKey, newName } from "@fairway/contract/text";
import { describe, expect, it } from "vitest";
import { demoPlatform } from "../platform.ts";

const { accounts, flowGroups } = demoPlatform;
const requests = flowGroups.flatMap(({ flows }) => flows.flatMap(({ requests: ofFlow }) => ofFlow));
const usernames = accounts.users.map(({ username }) => username);

it("gives every flow group a role", () => {
  for (const { entity } of flowGroups) {
    expect(newKey(100).parse(entity.name)).toBe(entity.name);
    expect(accounts.roles).toContain(`flow-developer-${entity.name}`);
  }
});

it("has requests in every status", () => {
  const ends = new Set(requests.map(({ steps }) => steps.findLast(({ kind }) => kind !== "comment" && kind !== "review")?.kind));
  expect(ends).toEqual(new Set(["abandon", "accept", "iteration", "submit"]));
});

describe.each(requests)("the request $name", ({ name, steps, minutesAgo }) => {
  it("begins with an iteration and has a time for each step, in order", () => {
    expect(newName(200).parse(name)).toBe(name);
    expect(steps[0]?.kind).toBe("iteration");
    expect(minutesAgo).toHaveLength(steps.length);
    expect([...minutesAgo].toSorted((a, b) => b - a)).toEqual(minutesAgo);
  });

  it("is made by accounts of the demo", () => {
    for (const { by } of steps) expect(usernames).toContain(by);
  });

  it("has contents that connect processors that exist, and comments on lines that occur once", () => {
    let content = "";
    for (const step of steps) {
      if (step.kind === "iteration") ({ content } = step);
      if (step.kind !== "comment" || step.line === undefined) continue;
      const { line } = step;
      expect(content.split("\n").filter((text) => text.includes(line))).toHaveLength(1);
    }
    const { flowContents } = JSON.parse(content) as { flowContents: { processors: { identifier: string }[]; connections: Ends[] } };
    const ids = flowContents.processors.map(({ identifier }) => identifier);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { source, destination } of flowContents.connections)
      expect(ids).toEqual(expect.arrayContaining([source.id, destination.id]));
  });
});

interface Ends {
  readonly source: { readonly id: string };
  readonly destination: { readonly id: string };
}
