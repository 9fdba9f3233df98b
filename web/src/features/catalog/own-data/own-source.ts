import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { type EditableOwnDataset, ownDatasetForm } from "@fairway/contract/own-dataset-form";
import { call } from "#lib/gateway/call.ts";
import { GatewayError, isStaleVersion, messagesOf } from "#lib/gateway/gateway-error.ts";
import { mergeThreeWay } from "#parts/conflict/three-way.ts";
import type { DatasetDraft } from "#parts/dataset-form/dataset-draft.ts";
import type { DatasetFormSource, DatasetSaved, LoadedDataset } from "#parts/dataset-form/source.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";

/** After this many concurrent saves the user has to decide. */
const maxMerges = 3;

/** The form edits whole datasets: what an own dataset has no settings for stands for itself and is never sent. */
const loadedOf = ({ settings, version, warnings, datasetCategory, datasetId }: EditableOwnDataset): LoadedDataset => ({
  draft: {
    ...settings,
    id: datasetId,
    category: datasetCategory,
    roles: [],
    source: { kind: "files", glob: `${datasetCategory}/${datasetId}`, format: "parquet" },
  },
  version,
  warnings,
});

function settingsOf(draft: DatasetDraft): OwnDatasetSettings {
  const { id: _, category: _category, roles: _roles, source: _source, ...settings } = draft;
  return settings;
}

/** The form of an own dataset, for its owner and those who may edit it. */
export const ownDatasetSource = (id: string): DatasetFormSource => ({
  key: `own ${id}`,
  isOwn: true,
  load: async (signal) => loadedOf(await call(ownDatasetForm.one, { params: { id } }, { signal })),
  // Rows of own datasets are stored as Parquet, whose types are those of the data.
  read: () => Promise.reject(new GatewayError(0, [])),
  save: (draft, base) => save(id, draft, base),
});

async function save(id: string, draft: DatasetDraft, base: LoadedDataset): Promise<DatasetSaved> {
  let [mine, current] = [draft, base];
  for (let merges = 0; ;) {
    try {
      const saved = await call(ownDatasetForm.save, { params: { id }, body: { version: current.version, settings: settingsOf(mine) } });
      await refreshDatasets();
      return { kind: "saved", loaded: loadedOf(saved), isMerged: merges > 0 };
    } catch (error) {
      const newest = isStaleVersion(error) ? await call(ownDatasetForm.one, { params: { id } }).catch(() => undefined) : undefined;
      if (newest === undefined) return { kind: "failed", title: "Failed to Save", messages: messagesOf(error) };
      const theirs = loadedOf(newest);
      const { value, collisions } = mergeThreeWay(current.draft, mine, theirs.draft);
      merges += 1;
      if (collisions.length > 0 || merges > maxMerges) return { kind: "conflict", theirs, mine: value as DatasetDraft };
      [mine, current] = [value as DatasetDraft, theirs];
    }
  }
}
