import type { Token, Tokens } from "marked";
import { type ComponentType, createContext, createElement, Fragment, type ReactNode, use, useMemo } from "react";
import { Highlighted } from "#ui/highlighted.tsx";
import { readMarkdown } from "./read-markdown.ts";
import { safeLink } from "./safe-link.ts";
import classes from "./markdown.module.css";

interface MarkdownOptions {
  /** Headings outline the page below its h1; otherwise they are paragraphs. */
  hasHeadings?: boolean;
  /** Shows a block of code in another way. */
  code?: ComponentType<{ text: string }>;
  /** Highlights what matches. */
  find?: RegExp | null;
}

const Options = createContext<MarkdownOptions>({});

/**
 * Renders Markdown as React elements and never sets HTML: anything that looks like HTML is shown as text. Links lead only to
 * the web or to a mailbox, and images become links. A text that is too nested to be read is shown as it is.
 */
export function Markdown({ text, ...options }: { text: string } & MarkdownOptions) {
  const tokens = useMemo(() => readMarkdown(text), [text]);
  return (
    <Options value={options}>
      <div className={classes["markdown"]}>{tokens === null ? <p className={classes["plain"]}>{text}</p> : blocks(tokens)}</div>
    </Options>
  );
}

/** The order never changes, so the nodes need no keys. */
const fragmentOf = (nodes: readonly ReactNode[]): ReactNode => createElement(Fragment, null, ...nodes);

const blocks = (tokens: readonly Token[]): ReactNode => fragmentOf(tokens.map(block));

function block(token: Token): ReactNode {
  switch (token.type) {
    case "heading":
      return <Heading {...(token as Tokens.Heading)} />;
    case "paragraph":
      return <p>{inlines(token.tokens)}</p>;
    case "text":
      return "tokens" in token && token.tokens ? inlines(token.tokens) : <Text text={textOf(token)} />;
    case "blockquote":
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>;
    case "code":
      return <Code text={textOf(token)} />;
    case "hr":
      return <hr />;
    case "list":
      return list(token as Tokens.List);
    case "table":
      return table(token as Tokens.Table);
    case "space":
    case "def":
      return null;
    default:
      return <p>{token.raw}</p>;
  }
}

function Heading({ depth, tokens }: Pick<Tokens.Heading, "depth" | "tokens">) {
  const { hasHeadings = false } = use(Options);
  return createElement(hasHeadings ? `h${Math.max(2, depth)}` : "p", { className: classes["heading"] }, inlines(tokens));
}

function Code({ text }: { text: string }) {
  const { code: Custom } = use(Options);
  if (Custom) return <Custom text={text} />;
  return (
    <pre>
      <code>{text}</code>
    </pre>
  );
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const lines = fragmentOf(items.map((item) => createElement("li", null, blocks(item.tokens))));
  return ordered ? <ol start={start === "" ? 1 : start}>{lines}</ol> : <ul>{lines}</ul>;
}

function table({ header, rows }: Tokens.Table): ReactNode {
  return (
    <table>
      <thead>
        <tr>{fragmentOf(header.map((cell) => createElement("th", null, inlines(cell.tokens))))}</tr>
      </thead>
      <tbody>
        {fragmentOf(rows.map((row) => createElement("tr", null, ...row.map((cell) => createElement("td", null, inlines(cell.tokens))))))}
      </tbody>
    </table>
  );
}

const inlines = (tokens: readonly Token[] | undefined): ReactNode => fragmentOf((tokens ?? []).map(inline));

function inline(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inlines(token.tokens)}</strong>;
    case "em":
      return <em>{inlines(token.tokens)}</em>;
    case "del":
      return <del>{inlines(token.tokens)}</del>;
    case "codespan":
      return (
        <code>
          <Text text={textOf(token)} />
        </code>
      );
    case "br":
      return <br />;
    case "link":
      return <SafeLink href={(token as Tokens.Link).href}>{inlines(token.tokens)}</SafeLink>;
    case "image":
      return <SafeLink href={(token as Tokens.Image).href}>{textOf(token)}</SafeLink>;
    case "escape":
    case "text":
      return "tokens" in token && token.tokens ? inlines(token.tokens) : <Text text={textOf(token)} />;
    default:
      return token.raw;
  }
}

function Text({ text }: { text: string }) {
  const { find = null } = use(Options);
  return <Highlighted text={text} find={find} />;
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeLink(href);
  if (safe === null) return children;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** marked escapes some texts for HTML; React escapes them itself. */
function textOf(token: Token): string {
  const text = "text" in token && typeof token.text === "string" ? token.text : token.raw;
  return "escaped" in token && token.escaped === true
    ? text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    : text;
}
