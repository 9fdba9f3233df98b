import { page } from "vitest/browser";

export const step = (name: string) => page.getByRole("dialog", { name });

export const take = page.getByRole("button", { name: "Take the tour" });
