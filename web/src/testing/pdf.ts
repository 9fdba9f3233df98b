interface PdfPage {
  /** Points. */
  width?: number;
  height?: number;
  lines?: readonly string[];
  /** More entries of the page's dictionary, such as `/Annots […]`. */
  entries?: string;
  /** The page's content instead of its lines. */
  content?: string;
}

interface PdfOptions {
  /** Numbered objects in place of others: 1 is the catalog, 2 the root of the page tree, 3 the font, 4 the first page. */
  objects?: Readonly<Record<number, string>>;
  /** Encrypts the contents of the pages with AES-256. */
  password?: string;
}

const encoder = new TextEncoder();

/** A small PDF file: Helvetica, one line of text below the other. */
export async function pdfFile(pages: readonly PdfPage[], { objects = {}, password }: PdfOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const encryption = password === undefined ? null : await encryptionOf(password);
  const first = 4;
  const kids = pages.map((_, index) => `${first + index} 0 R`);
  const numbered: Record<number, string | Uint8Array<ArrayBuffer>> = {
    1: "<< /Type /Catalog /Pages 2 0 R >>",
    2: `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(" ")}] >>`,
    3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  };
  for (const [index, { width = 612, height = 792, lines = [], entries = "", content }] of pages.entries()) {
    const number = first + index;
    const text = content ?? `BT /F1 24 Tf 28 TL 72 ${height - 96} Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
    const bytes = encryption ? await encryption.encrypt(encoder.encode(text)) : encoder.encode(text);
    numbered[number] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${number + pages.length} 0 R ${entries} >>`;
    numbered[number + pages.length] = join([`<< /Length ${bytes.length} >>\nstream\n`, bytes, "\nendstream"]);
  }
  return assemble({ ...numbered, ...objects }, encryption ? `/Encrypt ${encryption.dictionary} /ID [<00> <00>]` : "");
}

function assemble(objects: Readonly<Record<number, string | Uint8Array<ArrayBuffer>>>, trailer: string): Uint8Array<ArrayBuffer> {
  const parts: (string | Uint8Array<ArrayBuffer>)[] = ["%PDF-1.7\n"];
  const offsets: number[] = [];
  let length = 9;
  const count = Math.max(...Object.keys(objects).map(Number));
  for (let number = 1; number <= count; number += 1) {
    offsets.push(length);
    const part = join([`${number} 0 obj\n`, objects[number] ?? "null", "\nendobj\n"]);
    length += part.length;
    parts.push(part);
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  parts.push(
    `xref\n0 ${count + 1}\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Size ${count + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
  );
  return join(parts);
}

function join(parts: readonly (string | Uint8Array<ArrayBuffer>)[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.map((part) => (typeof part === "string" ? encoder.encode(part) : part));
  const joined = new Uint8Array(bytes.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of bytes) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const hex = (bytes: Uint8Array): string => `<${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}>`;

/** The standard security handler, version 5, revision 5: AES-256 with a key that the password unlocks. */
async function encryptionOf(password: string) {
  const fileKey = crypto.getRandomValues(new Uint8Array(32));
  const salts = crypto.getRandomValues(new Uint8Array(16));
  const digest = async (salt: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", join([password, salt])));
  const check = await digest(salts.slice(0, 8));
  const aes = async (key: Uint8Array<ArrayBuffer>, iv: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(
      await crypto.subtle.encrypt({ name: "AES-CBC", iv }, await crypto.subtle.importKey("raw", key, "AES-CBC", false, ["encrypt"]), bytes),
    );
  // Without the block of padding that is added to it.
  const lockedKey = (await aes(await digest(salts.slice(8)), new Uint8Array(16), fileKey)).slice(0, 32);
  const user = hex(join([check, salts]));
  return {
    dictionary:
      `<< /Filter /Standard /V 5 /R 5 /Length 256 /P -4 /U ${user} /UE ${hex(lockedKey)} /O ${hex(new Uint8Array(48))} /OE ${hex(new Uint8Array(32))} ` +
      `/Perms ${hex(new Uint8Array(16))} /CF << /StdCF << /CFM /AESV3 /Length 32 /AuthEvent /DocOpen >> >> /StmF /StdCF /StrF /StdCF >>`,
    encrypt: async (bytes: Uint8Array<ArrayBuffer>) => {
      const iv = crypto.getRandomValues(new Uint8Array(16));
      return join([iv, await aes(fileKey, iv, bytes)]);
    },
  };
}
