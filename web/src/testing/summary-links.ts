import { page } from "vitest/browser";

export const count = { aggregation: "count", column: "*" };
export const byName = { measures: [count], by: [{ kind: "value", column: "name", top: { count: 5, other: true } }] };
export const summary = (title: string) => page.getByRole("region", { name: title, exact: true });
export const pathOf = (link: string) => link.slice(new URL(link).origin.length);
