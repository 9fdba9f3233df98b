import { formatCount, pluralize } from "@fairway/contract/counts";
import type { Attachment, Mail } from "#outbound/mail.ts";
import { escapeHtml } from "#http/escape-html.ts";
import { subscriptionLimits } from "@fairway/contract/subscriptions";
import { momentText } from "./cell-texts.ts";
import type { Gathered, Part, RowsTable } from "./gather.ts";
import { type GraphContent, shownWidthPx } from "./graph-parts.ts";
import { figuresTable } from "./figures-table.ts";
import { cellElement, element, linkTo, look, type MessageStyle, page, tableElement } from "./message-styles.ts";

interface Written {
  readonly to: string;
  readonly name: string;
  readonly portalTitle: string;
  /** Of the board or saved search; null without the portal's address, or if there is nothing to open. */
  readonly link: string | null;
  /** Ends the subscription; null without the portal's address. */
  readonly endingLink: string | null;
  readonly zone: string;
  readonly nowMs: number;
  readonly gathered: Gathered;
}

/** Titles of the parts that were not ready in time. */
export const notReadyOf = ({ parts }: Pick<Gathered, "parts">): string[] =>
  parts.flatMap(({ title, content }) => (content.kind === "not-ready" ? [title === "" ? "A panel without a title" : title] : []));

/** The email of one delivery, as HTML and as plain text. Nothing in it is loaded from anywhere. */
export function messageOf(written: Written): Mail {
  const { to, name, portalTitle, endingLink, gathered } = written;
  const { file } = gathered;
  return {
    to,
    subject: `${portalTitle}: ${name}`,
    text: textOf(written),
    html: htmlOf(written),
    attachments: [
      ...gathered.parts.flatMap((part, index) => pictureOf(part, index) ?? []),
      ...(file === null ? [] : [{ name: fileNameOf(name), type: "text/csv; charset=utf-8", content: file.text }]),
    ],
    ...(endingLink === null
      ? {}
      : { headers: { "List-Unsubscribe": `<${endingLink}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } }),
  };
}

const contentIdOf = (index: number): string => `chart${index + 1}@fairway`;

function pictureOf({ content }: Part, index: number): Attachment | null {
  if (content.kind !== "graph" || content.png === null) return null;
  return { name: `chart${index + 1}.png`, type: "image/png", content: content.png, contentId: contentIdOf(index) };
}

const fileNameOf = (name: string): string => `${name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, "_").replace(/^[.\s]+/, "_")}.csv`;

const asOf = ({ nowMs, zone }: Written): string => `As of ${momentText(nowMs, zone)}, times in ${zone}.`;

/** Sentences about what the message lacks and has besides. */
function notesOf({ gathered }: Written): string[] {
  const notReady = notReadyOf(gathered);
  const { file } = gathered;
  return [
    ...(notReady.length === 0 ? [] : [`Not ready within ${subscriptionLimits.gatherSeconds} seconds: ${notReady.join(", ")}.`]),
    ...(file === null ? [] : [`The attached file has ${file.isCut ? "the first " : ""}${pluralize(file.rows, "row")}.`]),
  ];
}

const reasonOf = ({ portalTitle, name }: Written): string => `You get this email because you asked ${portalTitle} for “${name}”.`;

const withoutLink = "To end it, open Alerts in the portal and choose Emails.";

function tableNote({ rows, moreColumns, hasMore }: RowsTable, total: number | null): string {
  const left = [
    ...(hasMore ? [`The first ${formatCount(rows.length)} rows${total === null ? "" : ` of ${formatCount(total)}`}.`] : []),
    ...(moreColumns > 0 ? [`${pluralize(moreColumns, "more column")}.`] : []),
  ];
  return left.join(" ");
}

function textOf(written: Written): string {
  const { name, link, endingLink, gathered } = written;
  const parts = gathered.parts.map((part) => [part.title, ...partLines(part, link)].filter((line) => line !== "").join("\n"));
  const footer = [reasonOf(written), endingLink === null ? withoutLink : `End these emails: ${endingLink}`].join("\n");
  const blocks = [name, asOf(written), ...notesOf(written), ...(link === null ? [] : [`Open in the portal: ${link}`]), ...parts, footer];
  return `${blocks.join("\n\n")}\n`;
}

function partLines({ content }: Part, link: string | null): string[] {
  switch (content.kind) {
    case "rows": {
      const { table, total } = content;
      const lines = [table.columns.map(({ name }) => name), ...table.rows].map((cells) => cells.map(oneLine).join(" | "));
      if (table.rows.length === 0) return ["No rows."];
      return [...(total === null ? [] : [pluralize(total, "row")]), ...lines, tableNote(table, total)];
    }
    case "line":
      return [content.opens && link !== null ? `${content.text} ${link}` : content.text];
    case "not-ready":
      return [notReadyText];
    case "figure":
      return [content.text, content.about ?? ""];
    case "graph": {
      const { heads, lines, note } = content.table;
      const texts = [heads, ...lines.map((cells) => cells.map(({ text }) => text))].map((cells) => cells.map(oneLine).join(" | "));
      return [content.sentence, ...texts, note ?? ""];
    }
    case "text":
    case "problem":
      return [content.text];
    default:
      return content satisfies never;
  }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

const notReadyText = "Not ready in time.";

/** Every value is escaped here, where it is written. */
function htmlOf(written: Written): string {
  const { name, link, endingLink, gathered } = written;
  const foot = `${escapeHtml(reasonOf(written))} ${endingLink === null ? withoutLink : linkTo(endingLink, "End these emails")}`;
  const body = [
    element("h1", "title", escapeHtml(name)),
    ...[asOf(written), ...notesOf(written)].map((text) => element("p", "quiet", escapeHtml(text))),
    ...(link === null ? [] : [element("p", "quiet", linkTo(link, "Open in the portal"))]),
    ...gathered.parts.map((part, index) => partHtml(part, index, link)),
    element("p", "foot", foot),
  ];
  return page(name, body.join("\n"));
}

function partHtml({ title, content }: Part, index: number, link: string | null): string {
  const head = title === "" ? "" : element("h2", "part", escapeHtml(title));
  switch (content.kind) {
    case "text":
      return head + element("p", "prose", escapeHtml(content.text));
    case "figure":
      return (
        head +
        element("p", "figure", escapeHtml(content.text)) +
        (content.about === undefined ? "" : element("p", "quiet", escapeHtml(content.about)))
      );
    case "graph":
      return head + graphHtml(content, index);
    case "rows":
      return head + tableHtml(content.table, content.total);
    case "line": {
      const opening = content.opens && link !== null ? ` ${linkTo(link, "Open in the portal")}` : "";
      return head + element("p", "prose", `${escapeHtml(content.text)}${opening}`);
    }
    case "problem":
      return head + element("p", "quiet", escapeHtml(content.text));
    case "not-ready":
      return head + element("p", "quiet", notReadyText);
    default:
      return content satisfies never;
  }
}

function tableHtml(table: RowsTable, total: number | null): string {
  const count = total === null ? "" : element("p", "quiet", pluralize(total, "row"));
  if (table.rows.length === 0) return element("p", "quiet", "No rows.");
  const cellsOf = (tag: "th" | "td", style: MessageStyle, texts: readonly string[]) =>
    texts.map((text, column) => cellElement(tag, style, text, { isRight: table.columns[column]?.alignsRight === true })).join("");
  const head = table.columns.map(({ name }) => name);
  const note = tableNote(table, total);
  const drawn = tableElement(
    cellsOf("th", "head", head),
    table.rows.map((cells) => cellsOf("td", "cell", cells)),
  );
  return count + drawn + (note === "" ? "" : element("p", "quiet", escapeHtml(note)));
}

/** A chart that its mail program shows, or the table of its figures. */
function graphHtml({ sentence, png, chartNote, table }: Extract<GraphContent, { kind: "graph" }>, index: number): string {
  const about = element("p", "quiet", escapeHtml(sentence));
  const note = chartNote === null ? "" : element("p", "quiet", escapeHtml(chartNote));
  if (png === null) return about + note + figuresTable(table);
  const picture = `<img src="cid:${contentIdOf(index)}" width="${shownWidthPx}" alt="${escapeHtml(sentence)}" ${look("picture")}>`;
  return about + picture + note;
}
