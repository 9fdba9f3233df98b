import { type CopyTarget, serveCopy } from "./copy-worker-side.ts";
import { type JsonFileParts, type JsonLayout, plainJson } from "./json-copy.ts";

/** A JSON file to be copied as text. */
export interface JsonTask extends CopyTarget {
  readonly parts: Omit<JsonFileParts, "signal">;
  readonly layout: JsonLayout;
}

/** The worker is terminated instead. */
const never = new AbortController().signal;

serveCopy(({ parts, layout }: JsonTask) => plainJson({ ...parts, signal: never }, layout));
