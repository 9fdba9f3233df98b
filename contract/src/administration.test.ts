import { describe, expect, it } from "vitest";
import { entityDefinitions } from "./administration.ts";
import { entityTypes } from "./entity-types.ts";

describe("entity types", () => {
  it("are registered in the same order with and without their schema", () => {
    expect(Object.keys(entityDefinitions)).toEqual(Object.keys(entityTypes));
  });

  it.each(Object.values(entityDefinitions))("$name: the id field belongs to the schema or is given by the gateway", (definition) => {
    const given = ["users", "groups", "roles"].includes(definition.name);
    expect(given || definition.idField in definition.schema.shape).toBe(true);
  });

  it("have screens with names and addresses of their own", () => {
    const all = Object.values(entityTypes);
    expect(new Set(all.flatMap(({ screen, address }) => [screen, address])).size).toBe(all.length * 2);
  });
});
