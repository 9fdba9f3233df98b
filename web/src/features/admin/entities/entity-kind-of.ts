import { entityDefinitions } from "@fairway/contract/administration";
import { type AdministeredType, entityTypes } from "@fairway/contract/entity-types";
import type { z } from "zod";
import type { EntityDraft } from "./entity.ts";
import type { EntityColumn, EntityKind } from "./entity-kind.ts";
import { entityViews } from "./entity-views.ts";

/** Combines a type's registration, its schema and its view. */
export function entityKindOf(type: AdministeredType): EntityKind {
  const { noun, plural, idField, schema } = entityDefinitions[type];
  const fields: Fields = schema.shape;
  const { title } = entityTypes[type];
  return { type, title, noun, plural, idField, columns: columnsOf(fields, idField), template: templateOf(fields), ...entityViews[type] };
}

type Fields = Readonly<Record<string, z.ZodType>>;

/** Every field except the id. */
const columnsOf = (fields: Fields, idField: string): EntityColumn[] =>
  Object.entries(fields)
    .filter(([name]) => name !== idField)
    .map(([name, field]) => (typeof blankOf(field) === "number" ? { name, number: true } : { name }));

/** Every field with its default or a blank value. */
const templateOf = (fields: Fields): EntityDraft => ({
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, blankOf(field)])),
  enabled: true,
});

const blanks = ["", 0, false, [], {}];

/** The default of a field, or an empty value of its type; the schema may still refuse its content. */
function blankOf(field: z.ZodType): unknown {
  const { data } = field.safeParse(undefined);
  if (data !== undefined) return data;
  const isOfType = (blank: unknown) =>
    !field.safeParse(blank).error?.issues.some(({ code, path }) => code === "invalid_type" && path.length === 0);
  return blanks.find(isOfType) ?? null;
}
