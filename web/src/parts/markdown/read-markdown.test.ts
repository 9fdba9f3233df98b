import { describe, expect, it } from "vitest";
import { readMarkdown } from "./read-markdown.ts";

describe("a text that would stop the parser is not parsed", () => {
  it.each([
    ["nested quotes", ">".repeat(2_000)],
    ["nested quotes with spaces", "> ".repeat(2_000)],
    ["nested lists", "1. ".repeat(3_333)],
    ["long runs of stars", `${"*".repeat(5_000)}a${"*".repeat(4_999)}`],
    ["many openings of emphasis", "*a_".repeat(3_333)],
    ["many openings on lines of one paragraph", "*a_\n".repeat(2_500)],
  ])("%s", (_, text) => {
    expect(readMarkdown(text)).toBeNull();
    expect(readMarkdown(`Hello.\n\n${text}`)).toBeNull();
  });
});

it.each([
  ["horizontal lines", `a\n\n${"*".repeat(500)}\n\n${"- ".repeat(60).trim()}\n\n${"-".repeat(200)}`],
  ["quotes and lists in each other", `${"> ".repeat(10)}${"- ".repeat(10)}deep`],
  ["code with underscores", `\`\`\`\n${"snake_case_name = other_name\n".repeat(500)}\`\`\``],
  ["a large table", `|a|b|\n|---|---|\n${"|**x**|_y_|\n".repeat(1_000)}`],
  ["many paragraphs", "**a** and _b_\n\n".repeat(1_000)],
])("%s are parsed", (_, text) => {
  expect(readMarkdown(text)).not.toBeNull();
});
