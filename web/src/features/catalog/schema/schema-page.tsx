import { datasetKey, type DatasetSchema } from "@fairway/contract/datasets";
import { descriptions, schemaEditRole } from "@fairway/contract/descriptions";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import { passesRole } from "@fairway/contract/access";
import { Button } from "@mantine/core";
import { IconPencil } from "#ui/icons/pencil.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { call } from "#lib/gateway/call.ts";
import { canSucceedLater, isStaleVersion, messagesOf } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { PartOfRows } from "#parts/reader-part/part-of-rows.tsx";
import { schemaQuery } from "#parts/dataset-schema/queries.ts";
import { AnnouncementBanner } from "#parts/dataset-announcements/announcement-banner.tsx";
import { titleOf, useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { island } from "#ui/island.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import { discardQuestionOf, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { changeCount, type Draft, type DraftMode, hasConflict, newDraft, saveBody, useDraft } from "../descriptions/description-draft.ts";
import { EditDescriptions } from "../descriptions/edit-descriptions.tsx";
import { SchemaBadges } from "../schema-badges.tsx";
import { SuggestDescription } from "../suggestions/suggest-description.tsx";
import { SuggestionsProvider } from "../suggestions/suggestions-context.tsx";
import HeaderFacts from "./header-facts.tsx";
import QualityNotes from "./quality-notes.tsx";
import { SchemaMore } from "./schema-more.tsx";
import SchemaStar from "./schema-star.tsx";
import { SchemaView } from "./schema-view.tsx";
import classes from "./schema.module.css";

// Few visits edit a dataset, and its form is larger than the screen.
const OwnDatasetForm = island(() => import("../own-data/own-dataset-form.tsx"));

/** A dataset's columns with their types and descriptions. */
export function SchemaPage() {
  const { datasetCategory = "", datasetId = "" }: { datasetCategory?: string; datasetId?: string } = useParams({ strict: false });
  const query = useQuery(schemaQuery(datasetCategory, datasetId));
  const own = useOwnDatasets().get(datasetKey({ datasetCategory, datasetId }));
  const { form }: Record<string, unknown> = useSearch({ strict: false });
  if (own !== undefined && own.can !== "view" && form !== undefined) return <OwnDatasetForm own={own} />;
  if (query.data) return <LoadedSchema key={datasetKey({ datasetCategory, datasetId })} {...query.data} />;
  return (
    <>
      <PageHeader title={datasetId} subtitle={<Trail category={datasetCategory} />} />
      <WithoutData
        query={query}
        loading={{ label: "Loading the schema", rowHeight: 56 }}
        failed="Error Loading Dataset Schema"
        canRetry={canSucceedLater}
      />
    </>
  );
}

function Trail({ category, children }: { category: string; children?: ReactNode }) {
  return (
    <>
      <Link to="/data-catalog" className={classes["trail"]}>
        Data Catalog
      </Link>
      {", "}
      {category}
      {children}
    </>
  );
}

const editing: Record<DraftMode, (datasetId: string) => string> = {
  community: (datasetId) => `Editing community descriptions. Everyone who can open ${datasetId} sees them.`,
  private: () => "Editing private descriptions. Only you see them.",
};

function LoadedSchema({ schema, etag }: { schema: DatasetSchema; etag: string }) {
  const { datasetCategory: category, datasetId } = schema.dataset;
  const { roles } = useCurrentUser();
  const own = useOwnDatasets();
  const queries = useQueryClient();
  const [draft, setDraft, setEtag] = useDraft(category, datasetId);
  const { save, isSaving } = useSaveDraft(schema, draft, setDraft, setEtag);
  const edit = (mode: DraftMode) => {
    setDraft(newDraft(mode, etag));
    // The loaded texts may be old. If they cannot be read again, the edit starts from them: saving still checks the version.
    void queries.fetchQuery({ ...schemaQuery(category, datasetId), staleTime: 0 }).then(
      (newest) => setEtag(newest.etag),
      () => undefined,
    );
  };
  const access = useQuery(describeQuery(category, datasetId)).data?.access;
  useUnsavedChanges(draft !== null && changeCount(draft) > 0);
  const cancel = async () => {
    const isConfirmed = await confirm({ ...discardQuestionOf("The descriptions stay as they were before."), destructive: true });
    if (isConfirmed) setDraft(null);
  };
  const columns = `${schema.columns.length.toLocaleString("en-US")} ${schema.columns.length === 1 ? "column" : "columns"}`;
  return (
    <SuggestionsProvider schema={schema}>
      <PageHeader
        title={titleOf(own, schema.dataset)}
        isSubtitleLong
        subtitle={
          draft ? (
            editing[draft.mode](datasetId)
          ) : (
            <Trail category={own.has(datasetKey(schema.dataset)) ? ownTrail(own.get(datasetKey(schema.dataset))) : category}>
              {schema.columns.length > 0 && ` · ${columns}`}
              <HeaderFacts dataset={schema.dataset} />
            </Trail>
          )
        }
        badges={
          <>
            <SchemaBadges {...schema} />
            <PartOfRows access={access} />
          </>
        }
      >
        {draft ? (
          <div className={classes["actions"]}>
            <Button variant="default" onClick={() => void cancel()} disabled={isSaving}>
              Cancel
            </Button>
            <Button onClick={() => void save()} loading={isSaving} disabled={changeCount(draft) === 0}>
              Save
            </Button>
          </div>
        ) : (
          <div className={classes["actions"]}>
            <SchemaStar dataset={schema.dataset} />
            {passesRole(roles, schemaEditRole) ? (
              <EditDescriptions onEdit={edit} />
            ) : (
              <>
                <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit("private")}>
                  Edit Private Descriptions
                </Button>
                <SuggestDescription schema={schema} />
              </>
            )}
            <SchemaMore schema={schema} etag={etag} />
            <Button
              leftSection={<IconSearch size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/search" search={{ category, dataset: datasetId }} {...props} />}
            >
              Search
            </Button>
          </div>
        )}
      </PageHeader>
      <AnnouncementBanner dataset={schema.dataset} opens="schema" />
      <QualityNotes dataset={schema.dataset} />
      <SchemaView schema={schema} draft={draft} onDraft={setDraft} />
    </SuggestionsProvider>
  );
}

const ownTrail = (own: OwnDataset | undefined): string => (own?.can === "own" ? "Own data" : "Shared with me");

const maxTries = 3;

/**
 * Saves the draft. If someone else saved meanwhile, reads their texts and saves again on top of them, unless both changed the same
 * description: then the screen shows both texts.
 */
function useSaveDraft(
  schema: DatasetSchema,
  draft: Draft | null,
  setDraft: (draft: Draft | null) => void,
  setEtag: (etag: string) => void,
) {
  const queries = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const { datasetCategory: category, datasetId } = schema.dataset;
  const query = schemaQuery(category, datasetId);
  const put = async (edited: Draft, current: { schema: DatasetSchema; etag: string }, triesLeft: number): Promise<void> => {
    const route = edited.mode === "community" ? descriptions.saveCommunity : descriptions.saveUser;
    try {
      await call(route, { params: { category, datasetId }, body: saveBody(edited, current.schema) }, { ifMatch: current.etag });
    } catch (error) {
      const newest = isStaleVersion(error) ? await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => null) : null;
      if (!newest) throw error;
      setEtag(newest.etag);
      if (hasConflict(edited, newest.schema))
        throw new Error("Someone else changed the marked descriptions. Compare the texts, then save again.", { cause: error });
      if (triesLeft === 1) throw error;
      await put(edited, newest, triesLeft - 1);
    }
  };
  const save = async () => {
    if (draft === null) return;
    setSaving(true);
    try {
      await put(draft, { schema, etag: draft.etag }, maxTries);
      await queries.refetchQueries({ queryKey: query.queryKey });
      void queries.invalidateQueries({ queryKey: ["datasets", "catalog"] });
      setDraft(null);
      toastSuccess("Descriptions saved");
    } catch (error) {
      toastError("Save Failed", messagesOf(error).join(" "));
    }
    setSaving(false);
  };
  return { save, isSaving };
}
