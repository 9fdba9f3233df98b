import { escapeHtml } from "#http/escape-html.ts";

const styles = {
  page: "margin:0;padding:24px;background:#ffffff;color:#17202c;font:14px/20px system-ui,-apple-system,'Segoe UI',sans-serif",
  title: "margin:0 0 4px;font-size:20px;line-height:28px",
  part: "margin:24px 0 8px;font-size:16px;line-height:24px",
  figure: "margin:0;font-size:28px;line-height:36px;font-weight:600",
  quiet: "margin:4px 0 0;color:#4d5968",
  prose: "margin:0;white-space:pre-wrap",
  scroll: "margin:8px 0 0;overflow-x:auto",
  table: "border-collapse:collapse;font-size:13px;line-height:18px",
  head: "padding:4px 12px 4px 0;border-bottom:1px solid #b9c3ce;font-weight:600;vertical-align:bottom",
  cell: "padding:4px 12px 4px 0;border-bottom:1px solid #e1e6ec;vertical-align:top",
  bar: "padding:4px 12px 4px 0;border-bottom:1px solid #e1e6ec;width:160px",
  shaded: "padding:4px 12px;border-bottom:1px solid #ffffff;color:#17202c",
  picture: "display:block;margin:8px 0 0;width:100%;max-width:520px;height:auto;border:0;border-radius:6px",
  foot: "margin:32px 0 0;padding:12px 0 0;border-top:1px solid #e1e6ec;color:#4d5968;font-size:12px;line-height:18px",
} as const;

/** For programs in a dark theme that keep to what an email says. Pictures and shaded cells stay light. */
const darkStyles = `@media (prefers-color-scheme: dark) {
  .page { background: #12171e !important; color: #e6ebf1 !important }
  .quiet, .foot { color: #a9b4c1 !important }
  .head, .cell, .bar, .foot { border-color: #3a4653 !important }
  a { color: #5cb9d6 !important }
}`;

export type MessageStyle = keyof typeof styles;

/** The classes are for the dark theme. */
export const look = (style: MessageStyle): string => `class="${style}" style="${styles[style]}"`;

export const element = (tag: "p" | "h1" | "h2", style: MessageStyle, content: string): string =>
  `<${tag} ${look(style)}>${content}</${tag}>`;

/** A text of a table. Short ones are not broken, because phones would break times and numbers. */
export function cellElement(
  tag: "th" | "td",
  style: MessageStyle,
  text: string,
  { isRight = false, attributes = "", content = escapeHtml(text) } = {},
) {
  const wrap = text.length <= unbrokenCharacters ? ";white-space:nowrap" : "";
  return `<${tag} align="${isRight ? "right" : "left"}"${attributes} class="${style}" style="${styles[style]}${wrap}">${content}</${tag}>`;
}

const unbrokenCharacters = 24;

/** A table that scrolls by itself where it is wider than the email. */
export const tableElement = (head: string, rows: readonly string[]): string =>
  `<div ${look("scroll")} tabindex="0"><table ${look("table")}><thead><tr>${head}</tr></thead><tbody>\n${rows.map((row) => `<tr>${row}</tr>`).join("\n")}\n</tbody></table></div>`;

export const linkTo = (address: string, text: string): string =>
  `<a href="${escapeHtml(address)}" style="color:#0a627f">${escapeHtml(text)}</a>`;

/** A whole email. The body is HTML. */
export const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${darkStyles}</style>
</head>
<body ${look("page")}>
<div role="main">
${body}
</div>
</body>
</html>
`;
