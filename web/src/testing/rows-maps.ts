import { page } from "vitest/browser";

export const search2004 = { timeRange: { start: "2004-01-01T00:00:00.000Z", end: "2005-01-01T00:00:00.000Z" }, filters: [] };
export const card = () => page.getByRole("region", { name: /^Cell / });
export const legend = () => page.getByRole("group", { name: /^Colors: / });
