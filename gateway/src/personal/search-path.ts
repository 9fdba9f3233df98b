import { randomUUID } from "node:crypto";
import { type AddressedSummaries, type SearchAddressParts, searchFragmentOf, searchPath } from "@fairway/contract/search-address";

/** The path of a search in the web app, as a search of its own for whoever opens it. */
export const newSearchPath = (parts: SearchAddressParts & AddressedSummaries): string =>
  searchPath(
    randomUUID(),
    searchFragmentOf({ ...parts }, (text) => Buffer.from(text).toString("base64url")),
  );
