import { HighlightStyle, LRLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { parser as formulaParser } from "@fairway/expressions/grammar/parser";
import { styleTags, tags } from "@lezer/highlight";

/** The same class, which TypeScript knows from two declarations: those for `import` here, those for `require` through the other package. */
const parser = formulaParser as unknown as Parameters<typeof LRLanguage.define>[0]["parser"];

const language = LRLanguage.define({
  name: "formula",
  parser: parser.configure({
    props: [
      styleTags({
        "Name QuotedName UnclosedName": tags.propertyName,
        "Text UnclosedText": tags.string,
        "Null True False": tags.atom,
        "FunctionName And Or Not In Between Is Case When Then Else End": tags.keyword,
      }),
    ],
  }),
});

const colors = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--json-key)" },
  { tag: tags.string, color: "var(--json-string)" },
  { tag: tags.atom, color: "var(--json-atom)" },
  { tag: tags.keyword, color: "var(--json-number)" },
]);

/** Parsing and colors of formulas: by the parser that checks them. */
export const formulaLanguage: Extension = [language, syntaxHighlighting(colors)];
