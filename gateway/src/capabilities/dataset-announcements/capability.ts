import { type DatasetAnnouncement, datasetAnnouncements as contract } from "@fairway/contract/dataset-announcements";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { type CanRead, noSuchDataset } from "#personal/readable-dataset.ts";
import { AnnouncementStore } from "./store.ts";

interface Parts {
  readonly db: Kysely<Database>;
  readonly canRead: CanRead;
  /** Whether there is such an enabled dataset, whoever may read it. */
  readonly exists: (dataset: DatasetRef) => Promise<boolean>;
}

/** Announcements by administrators on datasets. Decision 0405. */
export function openDatasetAnnouncements({ db, canRead, exists }: Parts): Capability {
  const store = new AnnouncementStore(db);

  const requireVersion = async (dataset: DatasetRef): Promise<never> => {
    throw new Refusal("stale-version", "The announcement has changed since you read it.", { current: (await store.find(dataset)) ?? null });
  };

  const handlers: Handlers<typeof contract> = {
    list: async ({ user }) => {
      const nowMs = Date.now();
      const announcements = (await store.list()).filter(({ endMs }) => endMs === null || nowMs < endMs);
      const visible = await Promise.all(
        announcements.map(async (one): Promise<DatasetAnnouncement[]> => {
          if (!(await canRead(user, one.dataset))) return [];
          const knowsReplacement = one.replacement !== null && (await canRead(user, one.replacement));
          return [{ ...one, replacement: knowsReplacement ? one.replacement : null }];
        }),
      );
      return visible.flat();
    },
    listAll: () => store.list(),
    save: async ({ user, params, body }) => {
      const dataset = refOf(params);
      const { kind, text, replacement, endMs, version } = body;
      if (!(await exists(dataset))) throw new Refusal("not-found", noSuchDataset(dataset));
      if (replacement !== null) {
        if (datasetKey(replacement) === datasetKey(dataset))
          throw new Refusal("invalid-value", "A dataset cannot replace itself.", { path: "replacement" });
        if (!(await exists(replacement))) throw new Refusal("invalid-value", noSuchDataset(replacement), { path: "replacement" });
      }
      if (endMs !== null && endMs <= Date.now()) throw new Refusal("invalid-value", "The end is in the past.", { path: "endMs" });
      const content = { kind, text, replacement, endMs, username: user.username };
      return (await store.save(dataset, content, version)) ?? requireVersion(dataset);
    },
    remove: async ({ params, query }) => {
      const dataset = refOf(params);
      if (await store.remove(dataset, query.version)) return undefined;
      if ((await store.find(dataset)) !== undefined) return requireVersion(dataset);
      throw new Refusal("not-found", "There is no announcement on this dataset.");
    },
  };
  return { routes: { datasetAnnouncements: implement(contract, handlers) } };
}

const refOf = ({ category, datasetId }: { category: string; datasetId: string }): DatasetRef => ({ datasetCategory: category, datasetId });
