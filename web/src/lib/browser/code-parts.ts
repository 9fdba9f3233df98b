/** A piece of a code; `token` is null for plain text. */
export interface CodePart {
  text: string;
  token: string | null;
}

const entities: Record<string, string> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'" };

/**
 * The parts of a code that highlight.js has highlighted as HTML, which consists of escaped text in nested spans. Read without the
 * HTML parser, which would drop NUL characters and takes longer than highlighting.
 */
export function codeParts(html: string): CodePart[] {
  const parts: CodePart[] = [];
  const open: (string | null)[] = [null];
  for (const { 0: piece, 1: className } of html.matchAll(/<span class="([^"<>]*)">|<\/span>|&[#\w]{1,6};|[^<&]+|[<&]/g)) {
    if (piece === "</span>") open.pop();
    else if (className !== undefined) open.push(/^hljs-(\w+)/.exec(className)?.[1] ?? open.at(-1) ?? null);
    else {
      const token = open.at(-1) ?? null;
      const last = parts.at(-1);
      const text = entities[piece] ?? piece;
      if (last?.token === token) last.text += text;
      else parts.push({ text, token });
    }
  }
  return parts;
}
