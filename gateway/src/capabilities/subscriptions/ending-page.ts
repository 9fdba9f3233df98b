import { randomBytes } from "node:crypto";
import type { StreamedAnswer } from "#http/handlers.ts";
import { escapeHtml } from "#http/escape-html.ts";

/** `open`: can be ended. `over`: has ended. `unknown`: the link is no link of a message. */
export type EndingState = { readonly kind: "open"; readonly name: string } | { readonly kind: "over" | "unknown" };

/** A plain page without scripts. Its form goes to its own address. */
export function endingPage(state: EndingState, portalTitle: string): StreamedAnswer {
  const nonce = randomBytes(16).toString("base64");
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(portalTitle)}: emails</title>
<style nonce="${nonce}">${styles}</style>
</head>
<body><main><h1>${escapeHtml(portalTitle)}</h1>${contentOf(state)}</main></body>
</html>
`;
  return {
    contentType: "text/html; charset=utf-8",
    chunks: [page],
    status: state.kind === "unknown" ? 404 : 200,
    headers: {
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    },
  };
}

function contentOf(state: EndingState): string {
  switch (state.kind) {
    case "open":
      return `<p>You get “${escapeHtml(state.name)}” by email.</p><form method="post"><button>End these emails</button></form>`;
    case "over":
      return "<p>These emails have ended.</p>";
    case "unknown":
      return "<p>This link is not valid.</p>";
    default:
      return state satisfies never;
  }
}

const styles = `
:root{color-scheme:light dark}
body{margin:0;padding:48px 24px;font:16px/24px system-ui,sans-serif;background:light-dark(#fff,#12171e);color:light-dark(#17202c,#e6ebf1)}
main{margin:0 auto;max-width:480px}h1{font-size:20px;line-height:28px}p{overflow-wrap:anywhere}
button{padding:10px 16px;border:0;border-radius:6px;font:inherit;font-weight:600;background:light-dark(#0a627f,#17748f);color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid light-dark(#17202c,#e6ebf1);outline-offset:2px}
`;
