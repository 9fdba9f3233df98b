import { expect, it } from "vitest";
import { findComponents } from "./commented-components.ts";

const commented = (id: string, name: string, isInContent = false) => ({ id, name, isInContent });
const present = (id: string, name: string, isRemoved = false) => ({ id, names: [name], isRemoved });

it("finds a component of another export by its name, one that stays rather than one that is removed", () => {
  expect(findComponents([commented("a", "Fetch"), commented("b", "Log")], [present("b", "Log"), present("new", "Fetch")])).toEqual({
    formerIds: new Map([["new", ["a"]]]),
    outdated: [],
  });
  expect(findComponents([commented("a", "Fetch")], [present("old", "Fetch", true), present("new", "Fetch")])).toEqual({
    formerIds: new Map([["new", ["a"]]]),
    outdated: [],
  });
});

it("finds a component that is drawn twice because it moved", () => {
  const moved = [present("new", "Fetch"), present("new", "Fetch", true)];
  expect(findComponents([commented("a", "Fetch")], moved).formerIds).toEqual(new Map([["new", ["a"]]]));
});

it("calls a component outdated that has no namesake or several, unless the content still has it", () => {
  const both = [present("one", "Fetch"), present("two", "Fetch")];
  expect(findComponents([commented("a", "Fetch"), commented("b", "Gone"), commented("c", "Service", true)], both)).toEqual({
    formerIds: new Map(),
    outdated: [
      { name: "Fetch", namesakes: 2 },
      { name: "Gone", namesakes: 0 },
    ],
  });
});
