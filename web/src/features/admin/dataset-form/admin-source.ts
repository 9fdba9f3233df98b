import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { Entity } from "@fairway/contract/entities";
import { call } from "#lib/gateway/call.ts";
import { type DatasetDraft, isDatasetDraft } from "#parts/dataset-form/dataset-draft.ts";
import type { DatasetFormSource, LoadedDataset } from "#parts/dataset-form/source.ts";
import { browserHints } from "#parts/reading/reading-words.ts";
import { sendDraft } from "../editor/editor-save.ts";
import { fetchEntity } from "../entities/entity-calls.ts";
import type { EntityDraft } from "../entities/entity.ts";
import type { EntityKind } from "../entities/entity-kind.ts";

/** The entity as it is edited: with the ids of its filters, which searches refer to. */
function draftOf(entity: Entity): EntityDraft {
  const { version: _, warnings: _warnings, ...fields } = entity;
  return fields;
}

function loadedOf(entity: Entity): LoadedDataset {
  const draft = draftOf(entity);
  if (!isDatasetDraft(draft)) throw new Error("This dataset has fields of another kind than the form edits. Use Edit instead.");
  return { draft, version: entity.version, warnings: entity.warnings };
}

const bodyOf = (draft: DatasetDraft): EntityDraft => ({ ...draft });

/** The form of an administered dataset, by the calls that its JSON editor makes. */
export const adminDatasetSource = (kind: EntityKind, id: string): DatasetFormSource => ({
  key: `${kind.type} ${id}`,
  isOwn: false,
  load: async (signal) => loadedOf(await fetchEntity(kind, id, signal)),
  read: (choices, signal) => call(datasetAdministration.reading, { params: { id }, body: { choices, hints: browserHints() } }, { signal }),
  save: async (draft, base) => {
    const stored: Entity = { ...bodyOf(base.draft), version: base.version };
    const result = await sendDraft(kind, bodyOf(draft), { base: stored, draftOf });
    if (result.kind === "failed") return result;
    if (result.kind === "saved") return { kind: "saved", loaded: loadedOf(result.entity), isMerged: result.isMerged };
    const { mine, theirs } = result;
    if (!isDatasetDraft(mine))
      return { kind: "failed", title: "Failed to Save", messages: ["Someone else changed the dataset. Open it again."] };
    return { kind: "conflict", theirs: loadedOf(theirs), mine };
  },
});
