import { describe, expect, it } from "vitest";
import { detectFormat } from "./data-file-formats.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const utf16 = (text: string): string => Array.from(text, (letter) => `${letter}\0`).join("");

/** An archive's headers of entries, without contents. */
const zip = (...names: readonly string[]): string =>
  names.map((name) => `PK\u0003\u0004${"\0".repeat(22)}${String.fromCharCode(name.length)}\0\0\0${name}`).join("deflated");

const compound = `\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1${"\0".repeat(600)}`;
const excel97 = "is an Excel 97 workbook; save it as .xlsx or CSV.";
const kml = "is a KML file; save it as GeoJSON or CSV.";
const ods = "is an OpenDocument spreadsheet; save it as .xlsx or CSV.";
const xlsb = "is a binary Excel workbook; save it as .xlsx or CSV.";

describe("detectFormat", () => {
  it.each([
    ["trips.csv", "a,b\r\n1,2\r\n", "csv"],
    ["folder/TRIPS.CSV", "[id],b\n", "csv"],
    ["trips.csv", "", "csv"],
    ["trips.txt", "a\tb\n1\t2\n", "csv"],
    ["trips", "a,b\n1,2\n", "csv"],
    ["trips.xls", "a\tb\n1\t2\n", "csv"],
    ["trips.csv", `\u00ff\u00fe${utf16("a;b\n1;2\n")}`, "csv"],
    ["trips.csv", utf16("a;b\n1;2\n"), "csv"],
    ["trips.csv", `name\n${"caf\u00e9\n".repeat(300)}\0\n`, "csv"],
    ["trips.tsv", "a\tb\n", "tsv"],
    ["trips.tab", "a\tb\n", "tsv"],
    ["trips.json", '[{"a": 1}]', "json"],
    ["trips.json", ' {"data": [{"a": 1}]}', "json"],
    ["trips.json", '{"a": 1}\n{"a": 2}\n', "json-lines"],
    ["trips.log", '{"a": 1}\n{"a": 2}\n', "json-lines"],
    ["trips.jsonl", '{"a": 1}', "json-lines"],
    ["trips.ndjson", "", "json-lines"],
    ["trips.jsonseq", '\u001e{"a": 1}\n', "json-lines"],
    ["places.geojson", "", "geojson"],
    ["places.json", '{"type": "FeatureCollection", "features": []}', "geojson"],
    ["places.geojsonl", '{"type": "Feature"}', "json-lines"],
    ["trips.json", `\u00ef\u00bb\u00bf[{"a": 1}]`, "json"],
    ["trips.parquet", "PAR1\u0015\u0004", "parquet"],
    ["trips.csv", "PAR1\u0015\u0004", "parquet"],
    ["plan.xlsx", zip("[Content_Types].xml", "xl/workbook.xml"), "xlsx"],
    ["plan.xlsm", zip("docProps/app.xml"), "xlsx"],
    ["plan.zip", zip("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"), "xlsx"],
    ["plan.dat", zip("[Content_Types].xml"), "xlsx"],
    ["trips.zip", zip("trips.csv"), "zip"],
    ["trips.csv", zip("trips.csv"), "zip"],
    ["empty.zip", `PK\u0005\u0006${"\0".repeat(18)}`, "zip"],
    ["trips.csv.gz", "\u001f\u008b\u0008", "gzip"],
    ["trips.csv", "\u001f\u008b\u0008", "gzip"],
  ])("reads %s that begins with %j as %s", (name, text, format) => {
    expect(detectFormat(name, bytes(text))).toEqual({ format });
  });

  it.each([
    ["plan.xls", `${compound}${utf16("Workbook")}`, excel97],
    ["plan.xls", compound, excel97],
    ["plan.csv", `${compound}${utf16("Workbook")}`, excel97],
    ["plan.xls", "\u0009\u0008\u0010\u0000\u0000\u0006", excel97],
    ["plan.xls", "", excel97],
    ["plan.xlsx", `${compound}${utf16("Workbook")}`, excel97],
    ["plan.xlsx", `${compound}${utf16("EncryptedPackage")}`, "is a workbook with a password; save it without one."],
    ["plan.xlsx", compound, "is a workbook with a password; save it without one."],
    ["letter.doc", `${compound}${utf16("WordDocument")}`, "is a document and no table; save its table as .xlsx or CSV."],
    ["plan.xlsb", zip("[Content_Types].xml"), xlsb],
    ["plan.xlsx", zip("[Content_Types].xml", "xl/workbook.bin"), xlsb],
    ["plan.ods", `${zip("mimetype")}application/vnd.oasis.opendocument.spreadsheet`, ods],
    ["plan.xlsx", `${zip("mimetype")}application/vnd.oasis.opendocument.spreadsheet`, ods],
    ["letter.docx", zip("[Content_Types].xml", "word/document.xml"), "is a document and no table; save its table as .xlsx or CSV."],
    ["roads.shp", "\u0000\u0000\u0027\u000a\u0000\u0000", "is a shapefile; save it as GeoJSON or CSV."],
    ["roads.kml", '<?xml version="1.0"?>\n<kml xmlns="http://www.opengis.net/kml/2.2">', kml],
    ["roads.xml", "<kml>", kml],
    ["roads.kmz", zip("doc.kml"), kml],
    ["plan.xls", "<html><table><tr>", "is a web page; save its table as CSV."],
    ["plan.csv", "<!DOCTYPE html>\n<html>", "is a web page; save its table as CSV."],
    ["plan.xls", '<?xml version="1.0"?>\n<Workbook>', "is an Excel 2003 workbook in XML; save it as .xlsx or CSV."],
    ["rows.xml", '<?xml version="1.0"?>\n<rows>', "is an XML file; save it as CSV or JSON."],
    ["trips.feather", "ARROW1\0\0", "is an Arrow file; save it as Parquet."],
    ["places.gpkg", "SQLite format 3\0", "is a database; save its table as CSV."],
    ["trips.7z", "7z\u00bc\u00af\u0027\u001c", "is an archive of a kind that is not supported; unpack it, or pack it as ZIP."],
    ["trips.tar", `trips.csv${"\0".repeat(248)}ustar`, "is an archive of a kind that is not supported; unpack it, or pack it as ZIP."],
    ["picture.png", "\u0089PNG\r\n\u001a\n\0\0\0\rIHDR", "is no file of a known format; save it as CSV, .xlsx, JSON, GeoJSON or Parquet."],
  ])("refuses %s that begins with %j: it %s", (name, text, refused) => {
    expect(detectFormat(name, bytes(text))).toEqual({ refused: `'${name}' ${refused}` });
  });
});
