import type { DatasetAbout } from "@fairway/contract/dataset-about";
import { type DatasetFacts, datasetFactRoutes as contract } from "@fairway/contract/dataset-facts";
import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { Kysely } from "kysely";
import type { BaseLogger } from "pino";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { FigureView, WholeFigures } from "#query/whole-figures.ts";
import { runEvery } from "#process/run-every.ts";
import type { DatasetListing } from "./dataset-listing.ts";
import { filesetColumns, linksOf } from "./relations.ts";
import { freshness } from "./freshness.ts";
import { DatasetUsage } from "./usage.ts";

interface Figures {
  readonly rows: number;
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
  readonly measuredMs: number;
}

interface Parts {
  /** Every dataset that the user may use, by name. */
  readonly listed: (user: SignedInUser) => Promise<readonly DatasetListing[]>;
  /** Refuses with not-found a dataset that the user may not know about. */
  readonly requireReadable: (user: SignedInUser, dataset: DatasetRef) => Promise<unknown>;
  /** By `datasetKey`; without datasets that have no profile. */
  readonly profilesOf: (datasets: readonly DatasetRef[]) => Promise<ReadonlyMap<string, WholeFigures<Figures>>>;
  /** When datasets were last seen to change, by `datasetKey`. */
  readonly changesOf: () => Promise<ReadonlyMap<string, WholeFigures<number | null>>>;
  readonly topValuesOf: (dataset: DatasetRef, column: string, view: FigureView) => Promise<readonly string[]>;
  readonly groupsHolding: (userId: string, dataset: DatasetRef) => Promise<Pick<DatasetGroup, "id" | "name">[]>;
  readonly canReadFileset: (user: SignedInUser, id: string) => Promise<boolean>;
  readonly usage: DatasetUsage;
}

/** Facts about datasets besides their schemas, and what they are related to. */
export const openDatasetFacts = (parts: Parts): Capability => ({ routes: { datasetFacts: implement(contract, handlers(parts)) } });

/** Loses at most this much of what was counted if the gateway is killed. */
const flushIntervalMs = 10_000;
const retentionIntervalMs = 6 * 3_600_000;

/** Counts searches. Opened before the search and closed after it, so that no search is lost. */
export function openDatasetUsage({ db, log }: { readonly db: Kysely<Database>; readonly log: Pick<BaseLogger, "warn"> }) {
  const usage = new DatasetUsage(db);
  const warn = (error: unknown) => log.warn({ err: error }, "searches of datasets could not be counted");
  const flushing = runEvery(flushIntervalMs, () => usage.flush(), warn);
  const retention = runEvery(retentionIntervalMs, () => usage.removeOld(), warn);
  return {
    usage,
    routes: {},
    close: async () => {
      await Promise.all([flushing.close(), retention.close()]);
      await usage.flush().catch(warn);
    },
  };
}

const handlers = (parts: Parts): Handlers<typeof contract> => ({
  facts: async ({ user, query: { datasetCategory, datasetId } }) => {
    const listings = (await parts.listed(user)).filter(
      ({ dataset }) =>
        (datasetCategory === undefined || dataset.datasetCategory === datasetCategory) &&
        (datasetId === undefined || dataset.datasetId === datasetId),
    );
    const [profiles, changes, searches] = await Promise.all([
      parts.profilesOf(listings.map(({ dataset }) => dataset)),
      parts.changesOf(),
      parts.usage.searches(),
    ]);
    return listings.map((listing) => {
      const key = datasetKey(listing.dataset);
      const figures = profiles.get(key)?.shownTo(listing.figures) ?? undefined;
      const changedMs = changes.get(key)?.shownTo(listing.figures) ?? null;
      return factsOf(listing, figures, changedMs, searches.get(key) ?? 0);
    });
  },
  relations: async ({ user, params }) => {
    const dataset = { datasetCategory: params.category, datasetId: params.datasetId };
    await parts.requireReadable(user, dataset);
    const all = await parts.listed(user);
    const listing = all.find((one) => datasetKey(one.dataset) === datasetKey(dataset));
    if (listing === undefined) return { linksTo: [], linkedFrom: [], groups: [], filesets: [] };
    const [groups, filesets] = await Promise.all([
      // API keys cannot read groups.
      user.reach === undefined ? parts.groupsHolding(user.id, dataset) : [],
      filesetsOf(parts, user, listing),
    ]);
    return { ...linksOf(all, listing), groups, filesets };
  },
});

function factsOf(
  { dataset, about, columns, isExternal }: DatasetListing,
  figures: Figures | undefined,
  changedMs: number | null,
  searches: number,
): DatasetFacts {
  const { owner = null, contact = null, origin, license, updateRhythm = null, tags } = about;
  const { rows = null, oldestMs = null, newestMs = null, measuredMs = null } = figures ?? {};
  return {
    dataset,
    rowsFrom: isExternal ? "request" : "storage",
    columns: columns.length,
    rows,
    oldestMs,
    newestMs,
    ...freshness({ updateRhythm, newestMs, changedMs, measuredMs }),
    owner,
    contact,
    origin: linkedText(origin),
    license: linkedText(license),
    updateRhythm,
    tags: tags ?? [],
    searches,
  };
}

const linkedText = (linked: DatasetAbout["origin"]): DatasetFacts["origin"] =>
  linked ? { text: linked.text, link: linked.link ?? null } : null;

/** Filesets that the rows name and the user may use. */
async function filesetsOf({ topValuesOf, canReadFileset }: Parts, user: SignedInUser, listing: DatasetListing) {
  const named = await Promise.all(
    filesetColumns(listing).map(async (column) =>
      (await topValuesOf(listing.dataset, column, listing.figures)).map((id) => ({ id, column })),
    ),
  );
  const unique = [...new Map(named.flat().map((one) => [one.id, one])).values()];
  const readable = await Promise.all(unique.map(({ id }) => canReadFileset(user, id)));
  return unique.filter((_, index) => readable[index]);
}
