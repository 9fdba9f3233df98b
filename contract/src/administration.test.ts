import { describe, expect, it } from "vitest";
import { entityDefinitions } from "./administration.ts";
import { entityTypes } from "./entity-types.ts";

describe("entity types", () => {
  it("are registered in the same order with and without their schema", () => {
    expect(Object.keys(entityDefinitions)).toEqual(Object.keys(entityTypes));
  });

  it.each(Object.values(entityDefinitions))("$name: the id field is in the schema or assigned by the gateway", (definition) => {
    const isAssigned = ["users", "groups", "roles"].includes(definition.name);
    expect(isAssigned || definition.idField in definition.schema.shape).toBe(true);
  });

  it("have screens with unique names and addresses", () => {
    const all = Object.values(entityTypes);
    expect(new Set(all.flatMap(({ screen, address }) => [screen, address])).size).toBe(all.length * 2);
  });
});
