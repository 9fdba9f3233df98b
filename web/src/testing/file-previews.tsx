import { page } from "vitest/browser";

export const cell = (text: string) => page.getByRole("table").getByRole("cell", { name: text, exact: true });
