import { createElement, Fragment, type ReactNode, useMemo } from "react";
import classes from "../file-preview.module.css";

/**
 * Only what tables and texts are made of, built as elements of ours: no scripts, styles, forms or frames, no attributes, and
 * nothing that loads from elsewhere. A parsed document runs and loads nothing.
 */
export function SafeHtml({ html }: { html: string }) {
  const content = useMemo(() => safeNodes(bodyOf(html)), [html]);
  return <div className={classes["html"]}>{content}</div>;
}

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, "text/html").body;

/** Text that `SafeHtml` shows of HTML, without its elements. */
export const safeText = (html: string): string => textOf(bodyOf(html));

const textOf = (node: Node): string =>
  node instanceof Text
    ? node.data
    : node instanceof Element && !skippedTags.has(node.localName)
      ? Array.from(node.childNodes, textOf).join("")
      : "";

const allowedTags: ReadonlySet<string> = new Set(
  "table thead tbody tfoot tr th td caption p div span b strong i em u code pre ul ol li dl dt dd sub sup blockquote".split(" "),
);
const skippedTags: ReadonlySet<string> = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "iframe",
  "object",
  "svg",
  "math",
  "textarea",
]);

const safeNodes = (parent: Node): ReactNode => createElement(Fragment, null, ...[...parent.childNodes].map(safeNode));

function safeNode(node: Node): ReactNode {
  if (node instanceof Text) return node.data;
  if (!(node instanceof Element)) return null;
  const tag = node.localName;
  if (skippedTags.has(tag)) return null;
  if (tag === "br") return createElement("br");
  // Tables of pandas begin with an empty header, which would name nothing.
  if (tag === "th" && textOf(node).trim() === "") return createElement("td");
  return allowedTags.has(tag) ? createElement(tag, null, safeNodes(node)) : safeNodes(node);
}
