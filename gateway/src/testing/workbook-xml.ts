import yazl from "yazl";

/** A cell without its reference: attributes and content. */
export type CellXml = string | null;

export interface SheetXml {
  readonly name: string;
  readonly state?: "hidden";
  /** By rows; null leaves a cell out. A row of null is left out. */
  readonly rows: readonly (readonly CellXml[] | null)[];
  /** Follows the rows. */
  readonly after?: string;
  /** Changes the whole text. */
  readonly change?: (xml: string) => string;
}

interface WorkbookXml {
  readonly sheets: readonly SheetXml[];
  readonly date1904?: boolean;
  /** Number formats of the styles from 1. */
  readonly formats?: readonly string[];
  /** Items of the list of texts. */
  readonly shared?: readonly string[];
}

export const text = (value: string): CellXml => ` t="inlineStr"><is><t xml:space="preserve">${value}</t></is>`;
export const number = (value: number | string, style = 0): CellXml => ` s="${style}"><v>${value}</v>`;
export const shared = (index: number): CellXml => ` t="s"><v>${index}</v>`;

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A workbook of which every character is given, for tests of readers. */
export async function workbookOf({ sheets, date1904 = false, formats = [], shared: texts = [] }: WorkbookXml): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  const add = (path: string, xml: string) => zip.addBuffer(Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`), path);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  const packaged = "http://schemas.openxmlformats.org/package/2006";
  add("[Content_Types].xml", `<Types xmlns="${packaged}/content-types"/>`);
  add("_rels/.rels", `<Relationships>${relation("rId1", "officeDocument", "xl/workbook.xml")}</Relationships>`);
  const listed = sheets.map(
    ({ name, state }, index) => `<sheet name="${name}" sheetId="${index + 1}"${state ? ` state="${state}"` : ""} r:id="s${index}"/>`,
  );
  add(
    "xl/workbook.xml",
    `<workbook xmlns="${main}" xmlns:r="${relations}"><workbookPr${date1904 ? ' date1904="1"' : ""}/><sheets>${listed.join("")}</sheets></workbook>`,
  );
  const parts = sheets.map((_, index) => relation(`s${index}`, "worksheet", `worksheets/sheet${index + 1}.xml`));
  add(
    "xl/_rels/workbook.xml.rels",
    `<Relationships>${parts.join("")}${relation("styles", "styles", "styles.xml")}${relation("texts", "sharedStrings", "/xl/sharedStrings.xml")}</Relationships>`,
  );
  const codes = formats.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code.replaceAll('"', "&quot;")}"/>`);
  const styles = ["0", ...formats.map((_, index) => String(164 + index))].map((id) => `<xf numFmtId="${id}"/>`);
  add(
    "xl/styles.xml",
    `<styleSheet xmlns="${main}"><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join("")}</cellXfs></styleSheet>`,
  );
  add("xl/sharedStrings.xml", `<sst xmlns="${main}">${texts.map((item) => `<si>${item}</si>`).join("")}</sst>`);
  for (const [index, sheet] of sheets.entries())
    add(`xl/worksheets/sheet${index + 1}.xml`, (sheet.change ?? ((xml) => xml))(sheetXml(sheet)));
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sheetXml({ rows, after = "" }: SheetXml): string {
  const lines = rows.flatMap((cells, row) => {
    if (cells === null) return [];
    const filled = cells.flatMap((cell, column) =>
      cell === null ? [] : [`<c r="${String.fromCharCode(65 + column)}${row + 1}"${cell}</c>`],
    );
    return [`<row r="${row + 1}">${filled.join("")}</row>`];
  });
  return `<worksheet xmlns="${main}"><sheetData>${lines.join("")}</sheetData>${after}</worksheet>`;
}
