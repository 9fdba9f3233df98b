import { page } from "vitest/browser";

export const encode = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export const fragmentOf = (parts: unknown): string => `1.${encode(JSON.stringify(parts))}`;

export const applied = () => page.getByRole("group", { name: "Filters applied" });
