import { pluralize } from "@fairway/contract/counts";
import { createElement, Fragment, type ReactNode, useMemo } from "react";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { loadNotebook, type NotebookCell, type NotebookOutput } from "./notebook.ts";
import type { ViewProps } from "./preview-type.ts";
import { useFile } from "./use-file.ts";
import { ViewFrame } from "./view-frame.tsx";
import classes from "./views.module.css";

export function NotebookView(props: ViewProps) {
  const notebook = useFile(props, loadNotebook);
  if (notebook === null) return <LoadingRows label="Loading preview" />;
  const { cells, hiddenCells } = notebook;
  return (
    <ViewFrame
      summary={pluralize(cells.length, "cell")}
      note={hiddenCells > 0 ? `${hiddenCells.toLocaleString("en-US")} more are left out.` : undefined}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys */}
      <div className={classes["notebook"]} role="region" aria-label="Notebook" tabIndex={0}>
        {cells.map((cell, index) => (
          // Cells never change their order.
          // oxlint-disable-next-line react/no-array-index-key
          <Cell key={index} cell={cell} />
        ))}
      </div>
    </ViewFrame>
  );
}

function Cell({ cell: { kind, source, count, outputs, hiddenOutputs } }: { cell: NotebookCell }) {
  return (
    <div className={classes["cell"]}>
      <span className={classes["count"]}>{count === null ? "" : `[${count}]`}</span>
      <div>
        {kind === "markdown" ? <Markdown text={source} /> : <pre>{source}</pre>}
        {outputs.map((output, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Output key={index} output={output} />
        ))}
        {hiddenOutputs > 0 && <p role="note">{`${hiddenOutputs.toLocaleString("en-US")} more outputs are left out.`}</p>}
      </div>
    </div>
  );
}

function Output({ output }: { output: NotebookOutput }) {
  if (output.kind === "image") return <img src={output.url} alt="Output" loading="lazy" />;
  if (output.kind === "html") return <SafeHtml html={output.html} />;
  return <pre {...(output.isError ? { "data-error": true } : {})}>{output.text}</pre>;
}

/**
 * Only what tables and texts are made of, built as elements of ours: no scripts, styles, forms or frames, no attributes, and
 * nothing that loads from elsewhere. A parsed document runs and loads nothing.
 */
function SafeHtml({ html }: { html: string }) {
  const content = useMemo(() => safeNodes(new DOMParser().parseFromString(html, "text/html").body), [html]);
  return <div className={classes["html"]}>{content}</div>;
}

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
  return allowedTags.has(tag) ? createElement(tag, null, safeNodes(node)) : safeNodes(node);
}
