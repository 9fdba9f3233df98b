import { operator } from "@fairway/contract/columns";
import { type FieldFilter, fieldFilter } from "@fairway/contract/datasets";
import { type Filter, filter } from "@fairway/contract/filters";
import { z } from "zod";

/** A filter of a form without its operator and value. */
type FilterField = Omit<FieldFilter, "operator" | "value">;
type Setting<Form> = Form extends Filter ? Pick<Form, "operator" | "value"> : never;
type FormOf<Form> = Form extends Filter ? FilterField & Pick<Form, "operator" | "value"> : never;

/** A list, range, text or part of the calendar, or alternatives. Its values are as they are sent. */
export type FurtherFilter = FormOf<Exclude<Filter, { operator: FieldFilter["operator"] }>>;
/** A filter of a search, as a form holds it. A comparison holds its value as typed. */
export type FormFilter = FieldFilter | FurtherFilter;

const comparisons: ReadonlySet<string> = new Set(operator.options);

/** Whether a filter compares with one value. */
export const isCompared = (one: FormFilter): one is FieldFilter => comparisons.has(one.operator);

/** A filter as searches carry it. */
export const settingOf = ({ name, operator: sign, value }: FormFilter): Filter => ({ name, value, operator: sign }) as Filter;

/** A field with the operator and value of a filter. */
export const withSetting = (field: FilterField, { operator: sign, value }: Setting<Filter>): FormFilter =>
  ({ ...field, operator: sign, value }) as FormFilter;

const field = fieldFilter.omit({ operator: true, value: true });

/** A filter in the memory of a tab. */
export const storedFilter: z.ZodType<FormFilter> = z.unknown().transform((stored, context): FormFilter => {
  const compared = fieldFilter.safeParse(stored);
  if (compared.success) return compared.data;
  const known = field.safeParse(stored);
  const { operator: sign, value } = z
    .object({ operator: z.unknown(), value: z.unknown() })
    .catch({ operator: null, value: null })
    .parse(stored);
  const setting = filter.safeParse({ name: known.data?.name, operator: sign, value });
  if (known.success && setting.success) return withSetting(known.data, setting.data);
  context.addIssue({ code: "custom", message: "is not a filter" });
  return z.NEVER;
});

/** The columns that a filter asks about. */
export const columnsOf = (one: FormFilter): string[] => (one.operator === "any" ? one.value.flat().map(({ name }) => name) : [one.name]);
