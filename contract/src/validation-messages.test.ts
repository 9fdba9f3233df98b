import { expect, it } from "vitest";
import { z } from "zod";
import { validationMessage } from "./validation-messages.ts";

const messages = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: validationMessage }).error?.issues.map(({ message }) => message);

it.each([
  [z.object({ name: z.string() }), {}, "is missing."],
  [z.string(), 5, "is not a text."],
  [z.int(), 1.5, "is not a whole number."],
  [z.boolean(), "yes", "is not true or false."],
  [z.array(z.string()), {}, "is not a list."],
  [z.strictObject({}), [], "is not an object."],
  [z.string().min(1), "", "is empty."],
  [z.string().min(4), "abc", "needs at least 4 characters."],
  [z.string().max(1), "abc", "may have at most 1 character."],
  [z.array(z.string()).min(1), [], "is empty."],
  [z.array(z.string()).max(2), ["a", "b", "c"], "may have at most 2 entries."],
  [z.number().min(3), 2, "must be at least 3."],
  [z.number().positive(), 0, "must be more than 0."],
  [z.number().max(3), 4, "must be at most 3."],
  [z.email(), "nobody", "is not an email address."],
  [z.uuid(), "1", "is not an id (UUID)."],
  [z.enum(["a", "b"]), "c", 'is not "a" or "b".'],
  [z.strictObject({ a: z.int().optional() }), { b: 1 }, "There is no such field: 'b'."],
  [z.union([z.string(), z.int()]), true, "matches none of its allowed forms."],
] as const)("with %o, %o %s", (schema, value, message) => {
  expect(messages(schema, value)).toEqual([message]);
});

it("a schema's own messages take precedence", () => {
  expect(messages(z.string({ error: "The name is no text." }), 5)).toEqual(["The name is no text."]);
  expect(messages(z.string().min(3, "Three at least."), "a")).toEqual(["Three at least."]);
});
