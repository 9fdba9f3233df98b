import highlighter from "highlight.js/lib/core";
import javascript from "highlight.js/lib/languages/javascript";
import xml from "highlight.js/lib/languages/xml";
import { expect, it } from "vitest";
import { codeParts } from "./code-parts.ts";

highlighter.registerLanguage("javascript", javascript);
highlighter.registerLanguage("xml", xml);

const highlighted = (code: string, language: string) => codeParts(highlighter.highlight(code, { language, ignoreIllegals: true }).value);

it("names the innermost token of each part", () => {
  expect(highlighted('<flow id="1">a</flow>', "xml").filter(({ token }) => token !== null)).toEqual([
    { text: "<", token: "tag" },
    { text: "flow", token: "name" },
    { text: " ", token: "tag" },
    { text: "id", token: "attr" },
    { text: "=", token: "tag" },
    { text: '"1"', token: "string" },
    { text: ">", token: "tag" },
    { text: "</", token: "tag" },
    { text: "flow", token: "name" },
    { text: ">", token: "tag" },
  ]);
});

it.each([
  'const a = `x ${b + "&amp;<b>"} y`; // \'quoted\' & <span class="hljs-title">',
  "nul \u0000 and\r\nreturns 😀 &#x27; &nbsp;",
  "</span></span><span>",
  "",
])("keeps every character of %j", (code) => {
  for (const language of ["javascript", "xml"])
    expect(
      highlighted(code, language)
        .map(({ text }) => text)
        .join(""),
    ).toBe(code);
});
