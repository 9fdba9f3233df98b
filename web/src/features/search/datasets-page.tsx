import type { DatasetRef } from "@fairway/contract/datasets";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronDown, IconDatabase } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { loadPart } from "#lib/chunk-load.ts";
import { whenIdle } from "#lib/when-idle.ts";
import { DatasetPicker } from "#parts/dataset-picker/dataset-picker.tsx";
import { datasetKey } from "#parts/dataset-picker/picker-rows.ts";
import { searchFragment } from "#parts/open-searches/search-address.ts";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { DatasetsStart } from "./datasets-start.tsx";
import classes from "./datasets-page.module.css";

// The list shows first; the form of what is chosen and the phone's sheet follow.
const loadForm = () => import("./datasets-search-form.tsx");
const DatasetsSearchForm = lazy(() => loadPart("search-form", async () => ({ default: (await loadForm()).DatasetsSearchForm })));
const DatasetsSheet = lazyPart(async () => ({ default: (await import("./datasets-sheet.tsx")).DatasetsSheet }));

/** Choosing a dataset and asking. The choice stands in the address: Back works, and a link leads to the same form. */
export function DatasetsPage() {
  const selected = selectionOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  // Null until it is first opened: the sheet comes with its first use.
  const [choosing, setChoosing] = useState<boolean | null>(null);

  // Fetched while the person reads the list, so that a choice shows its form at once.
  useEffect(() => whenIdle(() => void loadForm().catch(() => undefined)), []);

  const select = ({ datasetCategory, datasetId }: DatasetRef) => {
    setChoosing(false);
    void navigate({ to: "/search", search: { category: datasetCategory, dataset: datasetId } });
  };
  const showResults = (searchId: string) => {
    const record = useOpenSearches.getState().records.find(({ id }) => id === searchId);
    void navigate({ to: "/search/$searchId", params: { searchId }, ...(record ? { hash: searchFragment(record) } : {}) });
  };
  const picker = <DatasetPicker selected={selected} onSelect={select} />;
  const form = selected && (
    <Suspense fallback={<LoadingRows label="Loading the filters" />}>
      <DatasetsSearchForm key={datasetKey(selected)} dataset={selected} onStarted={showResults} />
    </Suspense>
  );

  if (!phone) {
    return (
      <>
        <PageHeader title="Datasets" />
        <div className={classes["columns"]}>
          <section aria-label="Choose a dataset" className={classes["selector"]}>
            {picker}
          </section>
          <section aria-label="Filters" className={classes["work"]}>
            {form ?? <DatasetsStart onSelect={select} />}
          </section>
        </div>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Datasets" />
      {selected ? (
        <>
          <div className={classes["picked"]}>
            <button type="button" aria-haspopup="dialog" onClick={() => setChoosing(true)}>
              <IconDatabase size={16} aria-hidden />
              <span className="visually-hidden">Dataset: </span>
              <span className={classes["pickedName"]}>{selected.datasetId}</span>
              <IconChevronDown size={16} aria-hidden />
            </button>
          </div>
          {form}
          {choosing !== null && (
            <DatasetsSheet opened={choosing} onClose={() => setChoosing(false)}>
              {picker}
            </DatasetsSheet>
          )}
        </>
      ) : (
        picker
      )}
    </>
  );
}

/** Null unless both parts are there. */
function selectionOf(query: Record<string, unknown>): DatasetRef | null {
  const { category, dataset } = query;
  return typeof category === "string" && typeof dataset === "string" ? { datasetCategory: category, datasetId: dataset } : null;
}
