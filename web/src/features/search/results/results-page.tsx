import { datasetKey } from "@fairway/contract/datasets";
import { goneDatasetText } from "@fairway/contract/own-datasets";
import { Button } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback, useEffect, useState } from "react";
import { storeForm } from "#features/search/search-form/form-store.ts";
import { type OpenOutcome, openSearches, useSearchRecord } from "#parts/open-searches/store.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { ResultsScreen } from "./results-screen.tsx";

/**
 * `/search/{searchId}`: an open search of this tab, or one restored from its address; redirects to the datasets screen
 * if there is neither, and to its form if the address lacks a required filter.
 */
export function ResultsPage() {
  const { searchId }: { searchId: string } = useParams({ from: "/search/$searchId" });
  const navigate = useNavigate();
  const record = useSearchRecord(searchId);
  const [outcome, setOutcome] = useState<{ id: string; result: OpenOutcome } | null>(null);
  const open = useCallback(
    () => void openSearches.open(searchId, location.hash).then((result) => setOutcome({ id: searchId, result })),
    [searchId],
  );
  useEffect(open, [open]);

  const opened = outcome?.id === searchId ? outcome.result : null;
  const isMissing =
    record === undefined && opened !== null && (opened.kind === "open" || opened.kind === "closed" || opened.kind === "unknown");
  useEffect(() => {
    if (opened?.kind !== "needs-filters") return;
    const { description, filters, added } = opened;
    const dataset = { datasetCategory: description.category.id, datasetId: description.datasetId };
    storeForm(datasetKey(dataset), { ...filters, added });
    void navigate({ to: "/search", search: { category: dataset.datasetCategory, dataset: dataset.datasetId }, replace: true });
  }, [opened, navigate]);
  useEffect(() => {
    // Closed here, in the panel of open searches or by a logout, or never existed.
    if (isMissing) void navigate({ to: "/search", replace: true });
  }, [isMissing, navigate]);

  if (record && opened?.kind === "open") {
    return <ResultsScreen key={searchId} record={record} />;
  }
  const title = record?.datasetDescription.datasetId ?? "Search";
  if (opened?.kind === "no-access" || opened?.kind === "gone") {
    const isGone = opened.kind === "gone";
    return (
      <>
        <PageHeader title={title} subtitle="error performing search" />
        <ErrorState
          message={isGone ? goneDatasetText : "You don't have access to this dataset."}
          details={isGone ? [] : ["It no longer exists, or your account doesn't have access to it."]}
          action={
            <Button variant="default" onClick={() => void navigate({ to: "/search" })}>
              Go to Datasets
            </Button>
          }
        />
      </>
    );
  }
  if (opened?.kind === "failed") {
    return (
      <>
        <PageHeader title={title} subtitle="error performing search" />
        <ErrorState
          message="Failed to load dataset filters"
          details={opened.messages}
          onRetry={() => {
            setOutcome(null);
            open();
          }}
        />
      </>
    );
  }
  return (
    <>
      <PageHeader title={title} subtitle={<>&nbsp;</>} />
      <LoadingRows label="Opening the search" rows={20} />
    </>
  );
}
