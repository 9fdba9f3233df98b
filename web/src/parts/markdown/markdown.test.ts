import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown.tsx";

const html = (text: string): string =>
  renderToStaticMarkup(createElement(Markdown, { text }))
    .replace(/^<div[^>]*>/, "")
    .replace(/<\/div>$/, "");

describe("Markdown", () => {
  it("renders Markdown as elements", () => {
    expect(html("**Maintenance** on *Sunday* from `8:00`")).toBe(
      "<p><strong>Maintenance</strong> on <em>Sunday</em> from <code>8:00</code></p>",
    );
    expect(html("1. one\n2. two\n   - deep")).toBe('<ol start="1"><li>one</li><li>two<ul><li>deep</li></ul></li></ol>');
    expect(html("> quoted")).toBe("<blockquote><p>quoted</p></blockquote>");
    expect(html("| a | b |\n| - | - |\n| 1 | 2 |")).toContain("<tbody><tr><td>1</td><td>2</td></tr></tbody>");
  });

  it("shows HTML as text", () => {
    for (const text of [
      "<script>alert(1)</script>",
      "before <img src=x onerror=alert(1)> after",
      "<iframe srcdoc='<p>x'></iframe>",
      "<a href='javascript:alert(1)'>x</a>",
      "- <b onclick=alert(1)>x</b>",
      "# <svg onload=alert(1)>",
    ]) {
      const rendered = html(text);
      expect(rendered).not.toMatch(/<(?:script|img|iframe|a|b|svg)\b/);
      expect(rendered).toContain("&lt;");
    }
  });

  it("links only to the web and to mailboxes, without an opener or a referrer", () => {
    expect(html("[the status](https://status.example/x?a=1&b=2)")).toBe(
      '<p><a href="https://status.example/x?a=1&amp;b=2" target="_blank" rel="noopener noreferrer nofollow">the status</a></p>',
    );
    expect(html("[us](mailto:help@example.org)")).toContain('href="mailto:help@example.org"');
    for (const address of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "//example.org",
      "/logout",
      "java\nscript:x",
    ]) {
      expect(html(`[there](<${address}>)`)).not.toContain("href");
    }
    expect(html("![a chart](https://example.org/c.png)")).toBe(
      '<p><a href="https://example.org/c.png" target="_blank" rel="noopener noreferrer nofollow">a chart</a></p>',
    );
    expect(html("this & that, 5 < 6, `<b>`")).toBe("<p>this &amp; that, 5 &lt; 6, <code>&lt;b&gt;</code></p>");
  });
});
