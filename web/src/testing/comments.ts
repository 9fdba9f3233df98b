import { page } from "vitest/browser";

export const numbered = (changes: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: 40 }, (_, index) => changes[index + 1] ?? `line ${index + 1}`).join("\n");

export const panel = () => page.getByRole("region", { name: "Comments", exact: true });

export const timeline = () => panel().getByRole("list", { name: "Timeline" });

export const comments = () => timeline().getByRole("article");

export const box = () => panel().getByRole("textbox", { name: "new comment", exact: true });

export const add = () => panel().getByRole("button", { name: "Add", exact: true });

export const alert = (text: string) => page.getByRole("alert").filter({ hasText: text });
