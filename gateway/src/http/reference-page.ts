import { escapeHtml } from "./escape-html.ts";
import type { JsonSchema, OpenApiDocument, OpenApiOperation } from "./openapi.ts";

/** Renders the API reference as a single page without scripts, which works under the strictest content security policy. */
export function referencePage(document: OpenApiDocument, styleNonce: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const sections = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<section><h2 id="${escapeHtml(name)}">${escapeHtml(words(name))}</h2>${own.map(operationHtml).join("")}</section>`;
  });
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<details id="schema-${escapeHtml(name)}"><summary>${escapeHtml(name)}</summary>${schemaHtml(schema)}</details>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(document.info.title)} API</title>
<style nonce="${escapeHtml(styleNonce)}">${styles}</style>
</head>
<body>
<header><h1>${escapeHtml(document.info.title)} API</h1>
<p>Version ${escapeHtml(document.info.version)}. Paths are below <code>${escapeHtml(document.servers[0]?.url ?? "")}</code>; the same as
<a href="openapi.json">OpenAPI ${escapeHtml(document.openapi)}</a>. ${markdownCode(document.info.description)}</p>
<nav aria-label="Capabilities">${document.tags.map(({ name }) => `<a href="#${escapeHtml(name)}">${escapeHtml(words(name))}</a>`).join(" ")} <a href="#schemas">Schemas</a></nav></header>
<main>${sections.join("")}<section><h2 id="schemas">Schemas</h2>${schemas.join("")}</section></main>
</body>
</html>`;
}

function operationHtml({ path, method, operation }: { path: string; method: string; operation: OpenApiOperation }): string {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const schema = Object.values(content ?? {})[0]?.schema;
    return `<h4>${escapeHtml(status)} <small>${escapeHtml(description)}</small></h4>${schema ? schemaHtml(schema) : ""}`;
  });
  const parameters = operation.parameters.map(
    ({ name, in: location, required }) => `<li><code>${escapeHtml(name)}</code> in the ${location}${required ? "" : ", optional"}</li>`,
  );
  return `<article><details><summary><b class="method">${method}</b> <code>${escapeHtml(path)}</code> <span>${escapeHtml(operation.summary)}</span></summary>
<p>${escapeHtml(operation.description ?? "")}</p>${parameters.length > 0 ? `<h4>Parameters</h4><ul>${parameters.join("")}</ul>` : ""}
${body ? `<h4>Request body</h4>${schemaHtml(body)}` : ""}${answers.join("")}</details></article>`;
}

function schemaHtml(schema: JsonSchema): string {
  const text = escapeHtml(JSON.stringify(schema, undefined, 2));
  const linked = text.replace(/&quot;#\/components\/schemas\/(\w+)&quot;/g, '<a href="#schema-$1">$1</a>');
  return `<pre tabindex="0">${linked}</pre>`;
}

const words = (name: string): string => name.replace(/([A-Z])/g, " $1").replace(/^./, (first) => first.toUpperCase());
const markdownCode = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
const styles = `
:root{color-scheme:light dark;--line:light-dark(#e1e6ec,#232c37);--dim:light-dark(#4d5968,#a9b4c1);--accent:light-dark(#0a627f,#5cb9d6);--well:light-dark(#f7f9fb,#0f141a)}
body{margin:0 auto;max-width:960px;padding:24px;font:14px/20px system-ui,sans-serif;background:light-dark(#fff,#12171e);color:light-dark(#17202c,#e6ebf1)}
h1{font-size:20px;line-height:28px}h2{font-size:16px;margin:32px 0 8px}h4{margin:12px 0 4px}a{color:var(--accent)}
nav a{margin-right:12px}code,pre{font:12px/18px ui-monospace,monospace}
article,section>details{border-bottom:1px solid var(--line)}summary{padding:8px 0;cursor:pointer}summary span,small{color:var(--dim)}
.method{display:inline-block;min-width:52px;color:var(--accent)}pre{background:var(--well);padding:12px;overflow:auto;max-height:420px}
`;
