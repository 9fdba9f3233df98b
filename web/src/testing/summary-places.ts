import { page } from "vitest/browser";

export const breakdown = {
  measures: [{ aggregation: "count", column: "*" }],
  by: [{ kind: "value", column: "name", top: { count: 5, other: true } }],
};

export const title = "# Occurences by name";

/** The JSON of templates and panels. */
export const stored = { version: 2 as const, title: null, chart: null, breakdown };

export const card = (name = title) => page.getByRole("region", { name, exact: true });
export const button = (name: string) => page.getByRole("button", { name, exact: true });
