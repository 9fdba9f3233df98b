import { deflateSync } from "node:zlib";

interface PdfStream {
  readonly dictionary: string;
  readonly stream: Buffer;
}

/** A PDF of these objects, numbered from 1, of which the first is the catalog. */
function pdf(objects: readonly (string | PdfStream)[]): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = 9;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const content =
      typeof object === "string"
        ? [Buffer.from(object)]
        : [Buffer.from(`<<${object.dictionary}/Length ${object.stream.length}>>\nstream\n`), object.stream, Buffer.from("\nendstream")];
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), ...content, Buffer.from("\nendobj\n")]);
    parts.push(part);
    length += part.length;
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  parts.push(
    Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

const catalog = "<</Type/Catalog/Pages 2 0 R>>";
const onePage = "<</Type/Pages/Kids[3 0 R]/Count 1>>";
const page = (resources = "") => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<${resources}>>>>`;
const contents = (text: string): PdfStream => ({ dictionary: "", stream: Buffer.from(text) });

/** Forms that each draw the next one ten times. */
const nestedForms = (levels: number) =>
  Array.from({ length: levels }, (_, level): PdfStream => {
    const isLast = level + 1 === levels;
    const resources = isLast ? "" : `/XObject<</F ${level + 6} 0 R>>`;
    return {
      dictionary: `/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<${resources}>>`,
      stream: Buffer.from(isLast ? "0 0 10 10 re f" : "/F Do ".repeat(10)),
    };
  });

const scripts = "/OpenAction<</S/JavaScript/JS(app.alert\\(1\\);fetch\\('/ran'\\))>>/AA<</WC<</S/JavaScript/JS(fetch\\('/ran'\\))>>>>";

/** An SVG whose groups each use the one before ten times. */
function nestedUses(levels: number): string {
  const groups = Array.from({ length: levels }, (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(10)}</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg"><rect id="u0" width="1" height="1"/>${groups.join("")}</svg>`;
}

/** Files that would take a browser far more time or memory than their size tells, or that would run something, by name. */
export const hostileFiles: Readonly<Record<string, () => Buffer>> = {
  "uses.svg": () => Buffer.from(nestedUses(9)),
  "scripts.svg": () =>
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="fetch(\'/ran\')"><script>fetch("/ran")</script><image href="/ran" width="5" height="5"/></svg>',
    ),
  "long.md": () => Buffer.from("- a\n".repeat(1_200_000)),
  "deep.json": () => Buffer.from("[".repeat(2_000_000)),
  "columns.csv": () => Buffer.from("a,".repeat(2_400_000)),
  "scripts.pdf": () => pdf([`<</Type/Catalog/Pages 2 0 R${scripts}>>`, onePage, page(), contents("0 0 10 10 re f")]),
  "circle.pdf": () => pdf([catalog, "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 9>>", "<</Type/Pages/Kids[2 0 R]/Parent 2 0 R/Count 9>>"]),
  "image.pdf": () =>
    pdf([
      catalog,
      onePage,
      page("/XObject<</I 5 0 R>>"),
      contents("600 0 0 800 0 0 cm /I Do"),
      {
        dictionary: "/Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode",
        stream: deflateSync(Buffer.alloc(1_000_000)),
      },
    ]),
  "forms.pdf": () => pdf([catalog, onePage, page("/XObject<</F 5 0 R>>"), contents("/F Do"), ...nestedForms(12)]),
};
