import { ExternalTokenizer } from "@lezer/lr";
import * as terms from "./parser.terms.ts";

const [apostrophe, quote, opening, closing] = ["'", '"', "[", "]"].map((character) => character.charCodeAt(0));

/** `'texts'` and names in `"…"` or `[…]`. Within, the closing character is written twice. Without it they reach to the end. */
export const quotes = new ExternalTokenizer((input) => {
  const open = input.next;
  if (open !== apostrophe && open !== quote && open !== opening) return;
  const close = open === opening ? closing : open;
  const [closed, unclosed] = open === apostrophe ? [terms.Text, terms.UnclosedText] : [terms.QuotedName, terms.UnclosedName];
  for (let next = input.advance(); next >= 0; next = input.advance()) {
    if (next !== close) continue;
    if (input.advance() !== close) return input.acceptToken(closed);
  }
  return input.acceptToken(unclosed);
});
