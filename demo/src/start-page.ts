/** The first screen of the demo: what one can ask its data. */
export interface StartSettings {
  readonly line: string;
  readonly questions: { title: string; address: string; graph?: { title: string; type: "bar" | "line"; by: "day" | "hour" } }[];
}

/** Parts of a search's address, under the short names that the web app reads. */
interface AddressParts {
  readonly c: string;
  readonly d: string;
  /** First and last second since 1970. */
  readonly t?: readonly [number, number];
  readonly f?: readonly (readonly [column: string, operator: string, value: string | number])[];
  readonly m?: "map" | "graphs";
  /** The map: the column that colors its markers. */
  readonly p?: { readonly c: string };
}

const addressOf = (parts: AddressParts): string => `#1.${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
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
      address: addressOf({ c: "Natural hazards", d: "earthquakes", f: [["mag", ">", 5]] }),
    },
  ],
};
