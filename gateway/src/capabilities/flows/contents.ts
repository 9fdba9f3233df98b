import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { flowContentBytes, type FlowFormat } from "@fairway/contract/flows";
import { isStorable } from "@fairway/contract/text";
import { Refusal } from "#http/refusal.ts";
import { formatOf } from "./flow-format.ts";

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A content as it is stored. Decision 0450. */
export interface PackedContent {
  readonly bytes: number;
  readonly format: FlowFormat;
  readonly content: Buffer;
}

/** Refuses what is not a text of at most `flowContentBytes`. `path` is the field of the body. */
export async function packContent(text: string, path: string): Promise<PackedContent> {
  const bytes = Buffer.byteLength(text);
  if (bytes > flowContentBytes) {
    throw new Refusal("too-large", `The content is larger than ${flowContentBytes.toLocaleString("en-US")} bytes.`, { path });
  }
  if (!isStorable(text)) {
    throw new Refusal("invalid-value", "The content is not a text: it holds a null character, or half of a character.", { path });
  }
  return { bytes, format: formatOf(text), content: await compress(text) };
}

export const unpackContent = async (content: Buffer): Promise<string> =>
  (await decompress(content, { maxOutputLength: flowContentBytes })).toString("utf8");
