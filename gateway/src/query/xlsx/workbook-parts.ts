import { columnLetters, escaped } from "./sheet-cells.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export const aboutName = "About";

/** A name that spreadsheets accept: at most 31 characters, without some signs, and not that of the other sheet. */
export function sheetNameOf(text: string): string {
  const name = text
    .replaceAll(/[[\]:*?/\\\p{Cc}\p{Surrogate}]/gu, " ")
    .replace(/^[\s']+/, "")
    .slice(0, 31)
    .replaceAll(/\p{Surrogate}/gu, "")
    .trimEnd()
    .replace(/'$/, "");
  return name === "" || [aboutName.toLowerCase(), "history"].includes(name.toLowerCase()) ? "Data" : name;
}

/** The cells of a sheet of so many rows, including the header: `A1:C100`. */
export const rangeOf = (columns: number, rows: number): string => `A1:${columnLetters(columns - 1)}${rows}`;

/** Everything but the sheets themselves, by path. */
export function workbookParts(sheetName: string, { columns, rows }: { readonly columns: number; readonly rows: number }) {
  const absolute = `'${sheetName.replaceAll("'", "''")}'!$A$1:$${columnLetters(columns - 1)}$${rows}`;
  const sheet = (name: string, number: number) => `<sheet name="${attribute(name)}" sheetId="${number}" r:id="rId${number}"/>`;
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${relationships}/${type}" Target="${target}"/>`;
  const override = (path: string, type: string) => `<Override PartName="${path}" ContentType="${spreadsheet}.${type}+xml"/>`;
  return {
    "[Content_Types].xml": `${declaration}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override("/xl/workbook.xml", "sheet.main")}${override("/xl/worksheets/sheet1.xml", "worksheet")}${override("/xl/worksheets/sheet2.xml", "worksheet")}${override("/xl/styles.xml", "styles")}</Types>`,
    "_rels/.rels": `${declaration}<Relationships xmlns="${packaged}/relationships">${relation(1, "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${sheet(sheetName, 1)}${sheet(aboutName, 2)}</sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${attribute(absolute)}</definedName></definedNames></workbook>`,
    "xl/_rels/workbook.xml.rels": `${declaration}<Relationships xmlns="${packaged}/relationships">${relation(1, "worksheet", "worksheets/sheet1.xml")}${relation(2, "worksheet", "worksheets/sheet2.xml")}${relation(3, "styles", "styles.xml")}</Relationships>`,
    "xl/styles.xml": styleSheet,
  };
}

const attribute = (text: string): string => escaped(text).replaceAll('"', "&quot;");

/** In the order of `styles`. */
const styleSheet = `${declaration}<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${[164, 165, 166].map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`).join("")}<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

export const sheetStart = (views: string, columns: string): string =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"${views}</sheetViews><sheetFormatPr defaultRowHeight="15"/>${columns}<sheetData>`;
