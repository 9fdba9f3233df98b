import { isJsonObject } from "@fairway/contract/json";
import type { DatasetRef } from "@fairway/contract/datasets";
import { questionGraph } from "@fairway/contract/start-page";
import { z } from "zod";

/** As copied from the browser, with or without the part before `#`. */
const maxAddressCharacters = 20_000;

const question = z.strictObject({
  title: z.string().min(1).max(100),
  address: z
    .string()
    .max(maxAddressCharacters)
    .transform((address, context) => {
      const search = address.slice(address.indexOf("#") + 1);
      const dataset = searchedDataset(search);
      if (dataset) return { search, dataset };
      context.addIssue({ code: "custom", message: "expected the address of a search, as copied from the browser" });
      return z.NEVER;
    }),
  graph: questionGraph.nullable().default(null),
});

/** The operator's part of the first screen. */
export const startSettings = z.strictObject({
  /** One line on what this portal is; empty: the web app's own. */
  line: z.string().max(300).default(""),
  questions: z.array(question).max(6).default([]),
});

/** The dataset of a search's address, of which the gateway reads nothing else. */
function searchedDataset(search: string): DatasetRef | undefined {
  const encoded = /^1\.([\w-]+)$/.exec(search)?.[1];
  if (encoded === undefined) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
    if (!isJsonObject(parts)) return undefined;
    const { c, d } = parts;
    return typeof c === "string" && typeof d === "string" ? { datasetCategory: c, datasetId: d } : undefined;
  } catch {
    return undefined;
  }
}
