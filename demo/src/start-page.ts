import { type SearchAddressParts, searchFragmentOf } from "@fairway/contract/search-address";

/** The first screen of the demo: what one can ask its data. */
export interface StartSettings {
  readonly line: string;
  readonly questions: { title: string; address: string; graph?: { title: string; type: "bar" | "line"; by: "day" | "hour" } }[];
}

/** `p` of the map: the column that colors its markers. */
const addressOf = (parts: SearchAddressParts & { readonly p?: { readonly c: string } }): string =>
  `#${searchFragmentOf(parts, (text) => Buffer.from(text).toString("base64url"))}`;
const second = (iso: string): number => Date.parse(iso) / 1_000;

export const startSettings: StartSettings = {
  line: "",
  questions: [
    {
      title: "Hurricanes of 2005 on the map",
      address: addressOf({
        c: "Tropical weather",
        d: "storm-tracks",
        t: [second("2005-06-01T00:00:00Z"), second("2006-01-31T23:59:59Z")],
        f: [["wind", ">=", 64]],
        m: "map",
        // Ages, the default, say nothing of a season that is over.
        p: { c: "pressure" },
      }),
    },
    {
      title: "Flights delayed over an hour",
      address: addressOf({
        c: "Aviation",
        d: "flights",
        t: [second("2001-01-01T00:00:00Z"), second("2001-06-30T23:59:59Z")],
        f: [["delay", ">", 60]],
        m: "graphs",
      }),
      graph: { title: "Flights delayed over an hour, by day", type: "bar", by: "day" },
    },
    {
      title: "Quakes above magnitude 5",
      address: addressOf({ c: "Natural hazards", d: "earthquakes", f: [["mag", ">", 5]], o: [["mag", "desc"]] }),
    },
  ],
};
