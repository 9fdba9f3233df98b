/** A piece of code; `token` is null for plain text. */
export interface CodePart {
  text: string;
  token: string | null;
}

/** The parts of a code that highlight.js has highlighted as HTML. */
export function codeParts(html: string): CodePart[] {
  const parts: CodePart[] = [];
  addParts(new DOMParser().parseFromString(`<pre>\n${html}</pre>`, "text/html").body, null, parts);
  return parts;
}

function addParts(parent: Node, token: string | null, parts: CodePart[]): void {
  for (const node of parent.childNodes) {
    if (node instanceof Text) parts.push({ text: node.data, token });
    else if (node instanceof Element) addParts(node, /^hljs-(\w+)/.exec(node.className)?.[1] ?? token, parts);
  }
}
