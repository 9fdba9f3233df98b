import path from "node:path";
import { stat } from "node:fs/promises";
import { type Entry, type ZipFile, openPromise } from "yauzl";
import { unescaped } from "./cell-texts.ts";
import { type NumberFormat, general, numberFormat } from "./number-formats.ts";
import { UnreadableWorkbook } from "./unreadable-workbook.ts";
import { attributeOf, readXml } from "./xml-events.ts";

export const workbookLimits = { packedBytes: 200_000_000, unpackedBytes: 2_000_000_000, entries: 10_000, cells: 20_000_000 } as const;
/** Sheets pack to a tenth or a thirtieth; one of small size that unpacks to far more only takes time. Small ones may repeat themselves. */
const [maxRatio, ratioFromBytes] = [100, 10_000_000];

export interface SheetEntry {
  readonly name: string;
  readonly isHidden: boolean;
  /** Path in the package. */
  readonly part: string;
}

/** The parts of a workbook around its sheets. */
export class WorkbookPackage {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Visible ones first. */
  sheets: readonly SheetEntry[] = [];
  is1904 = false;
  #formats: readonly NumberFormat[] = [];
  #sharedTexts: readonly string[] = [];

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(file: string): Promise<WorkbookPackage> {
    const { size } = await stat(file);
    if (size > workbookLimits.packedBytes) throw new UnreadableWorkbook("it has more than 200 MB");
    let zip: ZipFile;
    try {
      zip = await openPromise(file, { autoClose: false, lazyEntries: true });
    } catch (error) {
      throw new UnreadableWorkbook("it is no workbook, or it is damaged", { cause: error });
    }
    try {
      const workbook = new WorkbookPackage(zip, await entriesOf(zip, size));
      await workbook.#readParts();
      return workbook;
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.#zip.close();
  }

  formatOf(style: number): NumberFormat {
    return this.#formats[style] ?? general;
  }

  sharedText(index: number): string | undefined {
    return this.#sharedTexts[index];
  }

  /** The content of a part. */
  async *content(part: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(keyOf(part));
    if (entry === undefined) throw new UnreadableWorkbook(`its part '${part}' is missing`);
    try {
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) yield chunk as Buffer;
    } catch (error) {
      throw new UnreadableWorkbook(`its part '${part}' is damaged`, { cause: error });
    }
  }

  async #readParts(): Promise<void> {
    const root = await this.#relations("", "_rels/.rels");
    const main = root.find(({ type }) => type.endsWith("/officeDocument"))?.target ?? "xl/workbook.xml";
    if (!this.#entries.has(keyOf(main))) throw new UnreadableWorkbook("it is no workbook");
    const folder = path.posix.dirname(main);
    const relations = await this.#relations(folder, path.posix.join(folder, "_rels", `${path.posix.basename(main)}.rels`));
    const listed: { name: string; isHidden: boolean; id: string }[] = [];
    await readXml(this.content(main), "its list of sheets", {
      open: (name, attributes) => {
        if (name === "workbookPr") this.is1904 = ["1", "true"].includes(attributes["date1904"] ?? "");
        if (name !== "sheet") return;
        const { name: sheetName = "", state = "visible" } = attributes;
        listed.push({ name: sheetName, isHidden: state !== "visible", id: attributeOf(attributes, "id") ?? "" });
      },
    });
    const sheets = listed.flatMap(({ name, isHidden, id }): SheetEntry[] => {
      const relation = relations.find((one) => one.id === id);
      // Charts have sheets of their own, without rows.
      return relation?.type.endsWith("/worksheet") === true ? [{ name, isHidden, part: relation.target }] : [];
    });
    if (sheets.length === 0) throw new UnreadableWorkbook("it has no sheet of rows");
    this.sheets = sheets.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden));
    const partOf = (type: string) => relations.find((one) => one.type.endsWith(type))?.target;
    const [styles, texts] = [partOf("/styles"), partOf("/sharedStrings")];
    if (styles !== undefined) await this.#readFormats(styles);
    if (texts !== undefined) await this.#readSharedTexts(texts);
  }

  /** Targets are paths in the package. */
  async #relations(folder: string, part: string): Promise<{ id: string; type: string; target: string }[]> {
    const relations: { id: string; type: string; target: string }[] = [];
    if (!this.#entries.has(keyOf(part))) return relations;
    await readXml(this.content(part), "its list of parts", {
      open: (name, { Id: id = "", Type: type = "", Target: target = "" }) => {
        if (name !== "Relationship") return;
        relations.push({ id, type, target: target.startsWith("/") ? target.slice(1) : path.posix.join(folder, target) });
      },
    });
    return relations;
  }

  async #readFormats(part: string): Promise<void> {
    const codes = new Map<number, string>();
    const ids: number[] = [];
    let isInCells = false;
    await readXml(this.content(part), "its list of formats", {
      open: (name, attributes) => {
        if (name === "numFmt") codes.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "");
        if (name === "cellXfs") isInCells = true;
        if (name === "xf" && isInCells) ids.push(Number(attributes["numFmtId"] ?? 0));
      },
      close: (name) => {
        if (name === "cellXfs") isInCells = false;
      },
    });
    this.#formats = ids.map((id) => numberFormat(id, codes));
  }

  async #readSharedTexts(part: string): Promise<void> {
    const texts: string[] = [];
    const reader = new TextReader();
    await readXml(this.content(part), "its list of texts", {
      open: (name) => {
        if (name === "si") reader.start();
        else reader.open(name);
      },
      text: (text) => reader.text(text),
      close: (name) => {
        if (name === "si") texts.push(reader.end());
        else reader.close(name);
      },
    });
    this.#sharedTexts = texts;
  }
}

/** Joins the runs of a text. Phonetic guides are no part of it. */
export class TextReader {
  #text = "";
  #isInText = false;
  #isInGuide = false;

  start(): void {
    this.#text = "";
  }

  open(name: string): void {
    if (name === "rPh") this.#isInGuide = true;
    else if (name === "t") this.#isInText = true;
  }

  text(text: string): void {
    if (this.#isInText && !this.#isInGuide) this.#text += text;
  }

  close(name: string): void {
    if (name === "rPh") this.#isInGuide = false;
    else if (name === "t") this.#isInText = false;
  }

  end(): string {
    return unescaped(this.#text);
  }
}

/** Some writers differ in case between the list of parts and their names. */
const keyOf = (part: string): string => part.replaceAll("\\", "/").toLowerCase();

async function entriesOf(zip: ZipFile, packedBytes: number): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > workbookLimits.entries) throw new UnreadableWorkbook("it has more than 10,000 parts");
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (entry.isEncrypted()) throw new UnreadableWorkbook("it has a password; save it without one");
      entries.set(keyOf(entry.fileName), entry);
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook) throw error;
    throw new UnreadableWorkbook("it is damaged", { cause: error });
  }
  if (bytes > workbookLimits.unpackedBytes) throw new UnreadableWorkbook("it has more than 2 GB unpacked");
  if (bytes > ratioFromBytes && bytes > packedBytes * maxRatio)
    throw new UnreadableWorkbook(`it unpacks to more than ${maxRatio} times its size`);
  return entries;
}
