// @ts-check
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { ZipFile } from "yazl";

/** @typedef {import("./tar.mjs").PackedFile} PackedFile */

/** The zip has no time zone, so this is the same moment's text everywhere. */
const mtime = new Date(2000, 0, 1);

/**
 * A pure Python wheel. The same files give the same bytes.
 * @param {{ name: string, version: string, summary: string, requiresPython: string, license: string, readme: string }} project
 * @param {readonly PackedFile[]} files paths from site-packages
 */
export async function pythonWheel({ name, version, summary, requiresPython, license, readme }, files) {
  const metadata = [
    "Metadata-Version: 2.1",
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${summary}`,
    `License: ${license}`,
    `Requires-Python: ${requiresPython}`,
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
  const info = `${name.replaceAll("-", "_")}-${version}.dist-info`;
  const tags = "Wheel-Version: 1.0\nGenerator: fairway\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
  const all = [
    ...files,
    { path: `${info}/METADATA`, content: Buffer.from(metadata) },
    { path: `${info}/WHEEL`, content: Buffer.from(tags) },
  ];
  const rows = all.map(
    ({ path, content }) => `${path},sha256=${createHash("sha256").update(content).digest("base64url")},${content.length}`,
  );
  const record = { path: `${info}/RECORD`, content: Buffer.from([...rows, `${info}/RECORD,,`, ""].join("\n")) };
  const zip = new ZipFile();
  for (const { path, content } of [...all, record]) zip.addBuffer(content, path, { mtime, mode: 0o100644, forceDosTimestamp: true });
  zip.end();
  return buffer(zip.outputStream);
}
