import { datasetKey, type DatasetSchema } from "@fairway/contract/datasets";
import { descriptions, schemaEditRole } from "@fairway/contract/descriptions";
import { passesRole } from "@fairway/contract/access";
import { Button } from "@mantine/core";
import { IconPencil, IconSearch } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { call } from "#lib/call.ts";
import { canSucceedLater, isStaleVersion, messagesOf } from "#lib/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { schemaQuery } from "#parts/dataset-schema/queries.ts";
import { confirm } from "#ui/confirm.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast.ts";
import { useUnsavedChanges } from "#ui/unsaved-changes.tsx";
import { changeCount, type Draft, type DraftMode, newDraft, saveBody, useDraft } from "../descriptions/description-draft.ts";
import { EditDescriptions } from "../descriptions/edit-descriptions.tsx";
import { SuggestDescription } from "../suggestions/suggest-description.tsx";
import { SuggestionsProvider } from "../suggestions/suggestions-context.tsx";
import { SchemaBadges } from "../schema-badges.tsx";
import { SchemaMore } from "./schema-more.tsx";
import { SchemaView } from "./schema-view.tsx";
import classes from "./schema.module.css";

const AnnouncementBanner = lazyPart(async () => ({
  default: (await import("#parts/dataset-announcements/announcement-banner.tsx")).AnnouncementBanner,
}));
const QualityNotes = lazyPart(() => import("./quality-notes.tsx"));

const HeaderFacts = lazyPart(() => import("./header-facts.tsx"));
const SchemaStar = lazyPart(() => import("./schema-star.tsx"));

/** A dataset's columns with their types and descriptions. */
export function SchemaPage() {
  const { datasetCategory = "", datasetId = "" }: { datasetCategory?: string; datasetId?: string } = useParams({ strict: false });
  const { data, error, isFetching, refetch } = useQuery(schemaQuery(datasetCategory, datasetId));
  if (data) return <LoadedSchema key={datasetKey({ datasetCategory, datasetId })} {...data} />;
  return (
    <>
      <PageHeader title={datasetId} subtitle={<Trail category={datasetCategory} />} />
      {error && !isFetching ? (
        <ErrorState
          message="Error Loading Dataset Schema"
          details={messagesOf(error)}
          onRetry={canSucceedLater(error) ? () => void refetch() : undefined}
        />
      ) : (
        <LoadingRows label="Loading the schema" rowHeight={56} />
      )}
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
  const [draft, setDraft] = useDraft(category, datasetId);
  const { save, isSaving } = useSaveDraft(schema, draft, setDraft);
  useUnsavedChanges(draft !== null && changeCount(draft) > 0);
  const cancel = async () => {
    const isConfirmed = await confirm({
      title: "Discard your changes?",
      text: "The descriptions stay as they were before.",
      confirmLabel: "Discard",
      destructive: true,
    });
    if (isConfirmed) setDraft(null);
  };
  const columns = `${schema.columns.length.toLocaleString("en-US")} ${schema.columns.length === 1 ? "column" : "columns"}`;
  return (
    <SuggestionsProvider schema={schema}>
      <PageHeader
        title={datasetId}
        isSubtitleLong
        subtitle={
          draft ? (
            editing[draft.mode](datasetId)
          ) : (
            <Trail category={category}>
              {schema.columns.length > 0 && ` · ${columns}`}
              <HeaderFacts dataset={schema.dataset} />
            </Trail>
          )
        }
        badges={<SchemaBadges {...schema} />}
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
              <EditDescriptions onEdit={(mode) => setDraft(newDraft(mode, etag))} />
            ) : (
              <>
                <Button
                  variant="default"
                  leftSection={<IconPencil size={16} aria-hidden />}
                  onClick={() => setDraft(newDraft("private", etag))}
                >
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

/** Saves the draft. If someone else saved meanwhile, reads their texts first, so that the screen shows both. */
function useSaveDraft(schema: DatasetSchema, draft: Draft | null, setDraft: (draft: Draft | null) => void) {
  const queries = useQueryClient();
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    if (draft === null) return;
    const { datasetCategory: category, datasetId } = schema.dataset;
    const route = draft.mode === "community" ? descriptions.saveCommunity : descriptions.saveUser;
    const query = schemaQuery(category, datasetId);
    setSaving(true);
    try {
      await call(route, { params: { category, datasetId }, body: saveBody(draft, schema) }, { ifMatch: draft.etag });
      await queries.refetchQueries({ queryKey: query.queryKey });
      void queries.invalidateQueries({ queryKey: ["datasets", "catalog"] });
      setDraft(null);
      toastSuccess("Descriptions saved");
    } catch (error) {
      if (isStaleVersion(error)) {
        const newest = await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => null);
        if (newest) setDraft({ ...draft, etag: newest.etag });
      }
      toastError("Save Failed", messagesOf(error).join(" "));
    }
    setSaving(false);
  };
  return { save, isSaving };
}
