import type { DatasetSchema } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { isStaleVersion, messagesOf } from "#lib/gateway/gateway-error.ts";
import { schemaQuery } from "#parts/dataset-schema/queries.ts";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { changesBody, type DescriptionChange } from "./description-changes.ts";
import { type DraftMode, layerOf } from "./description-draft.ts";

/**
 * Saves changes of one layer at once. If someone else saved meanwhile, nothing is saved, and what they saved is shown for the
 * user to decide again.
 */
export function useSaveChanges(mode: DraftMode, schema: DatasetSchema, etag: string, done: string) {
  const queries = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const save = async (changes: readonly DescriptionChange[]): Promise<boolean> => {
    const { datasetCategory: category, datasetId } = schema.dataset;
    const route = mode === "community" ? descriptions.saveCommunity : descriptions.saveUser;
    const refresh = () =>
      Promise.all([
        queries.refetchQueries({ queryKey: schemaQuery(category, datasetId).queryKey }),
        queries.refetchQueries({ queryKey: ["datasets", "description-revisions", category, datasetId] }),
      ]);
    setSaving(true);
    try {
      await call(route, { params: { category, datasetId }, body: changesBody(layerOf(mode, schema), changes) }, { ifMatch: etag });
      void queries.invalidateQueries({ queryKey: ["datasets", "catalog"] });
      await refresh();
      toastSuccess(done);
      return true;
    } catch (error) {
      if (!isStaleVersion(error)) {
        toastError("Save Failed", messagesOf(error).join(" "));
        return false;
      }
      await refresh();
      toastError("Save Failed", "Someone else saved descriptions in the meantime. Review the differences, then save again.");
      return false;
    } finally {
      setSaving(false);
    }
  };
  return { save, isSaving };
}
