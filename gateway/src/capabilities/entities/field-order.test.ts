import { expect, it } from "vitest";
import { z } from "zod";
import { fieldOrder } from "./field-order.ts";

const schemaOf = (type: z.ZodType) => z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Parameters<typeof fieldOrder>[0];

it("sorts fields by a schema that has a name, also below others, in alternatives and in circles", () => {
  const leaf = z.object({ b: z.string(), a: z.string() }).meta({ id: "FieldOrderLeaf" });
  const tree = z.object({
    title: z.string(),
    get children() {
      return z.array(tree);
    },
    leaf: z.union([z.null(), leaf]),
  });
  const named = tree.meta({ id: "FieldOrderTree" });
  const sorted = fieldOrder(schemaOf(named))({
    leaf: { a: "1", b: "2", c: "3" },
    other: 1,
    children: [{ leaf: null, title: "inner", children: [] }],
    title: "outer",
  });
  expect(JSON.stringify(sorted)).toBe(
    '{"title":"outer","children":[{"title":"inner","children":[],"leaf":null}],"leaf":{"b":"2","a":"1","c":"3"},"other":1}',
  );
});
