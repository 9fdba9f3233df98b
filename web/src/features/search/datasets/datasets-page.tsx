import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { useMediaQuery } from "@mantine/hooks";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconDatabase } from "#ui/icons/database.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useId, useState } from "react";
import { AddDataButton } from "#parts/add-data/add-data-button.tsx";
import { DropData } from "#parts/add-data/drop-data.tsx";
import { DatasetPicker } from "#parts/dataset-picker/dataset-picker.tsx";
import { titleOf, useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import { island } from "#ui/island.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { TabList } from "#ui/tab-list.tsx";
import classes from "./datasets.module.css";
import { DatasetsStart, PhoneIntro } from "./start.tsx";

// The list is shown first. The forms with their filters follow while it is read.
const LoadingForm = () => <LoadingRows label="Loading the filters" />;
const DatasetsSearchForm = island(async () => ({ default: (await import("./search-form.tsx")).DatasetsSearchForm }), {
  Loading: LoadingForm,
});
const GroupSelector = island(
  async () => ({ default: (await import("#features/search/dataset-groups/group-selector.tsx")).GroupSelector }),
  { Loading: () => <LoadingRows label="Loading the dataset groups" rows={12} /> },
);
const DatasetGroupPane = island(
  async () => ({ default: (await import("#features/search/dataset-groups/dataset-group-pane.tsx")).DatasetGroupPane }),
  { Loading: LoadingForm },
);
const PickerSheet = island(async () => ({ default: (await import("./picker-sheet.tsx")).PickerSheet }));

const tabsOfPage = [
  { tab: "datasets", label: "Datasets" },
  { tab: "groups", label: "Dataset Groups" },
] as const;

/** Selects and searches a dataset or a group. The selection is in the address, so that Back and links work. */
export function DatasetsPage() {
  const query: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const phone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const isGroups = query["tab"] === "groups";
  const datasets = useDatasetsTab(isGroups ? null : selectionOf(query), phone);
  const groups = useGroupsTab(query);
  const tabs = (panelId: string) => (
    <TabList
      label="What to search"
      tabs={tabsOfPage}
      tab={isGroups ? "groups" : "datasets"}
      panelId={panelId}
      atEdges
      // Changing the tab clears the selection.
      onChange={(tab) => void navigate({ to: "/search", search: tab === "groups" ? { tab } : {} })}
    />
  );
  return (
    <DropData>
      <PageHeader title="Datasets">
        <AddDataButton />
      </PageHeader>
      <Columns phone={phone} tabs={tabs} {...(isGroups ? groups : datasets)} />
    </DropData>
  );
}

/** The content of a tab: a list to choose from, and the selection's form or results. */
interface Tab {
  label: string;
  /** Above the list on a phone, where the content of no selection has no place. */
  intro?: ReactNode;
  picker: ReactNode;
  /** The selection as shown above the form on a phone: a button to choose again. */
  selection: { label: string; name: string; opensDialog?: true; onClick: () => void } | null;
  content: ReactNode;
}

function useDatasetsTab(selected: DatasetRef | null, phone: boolean): Tab {
  const navigate = useNavigate();
  const own = useOwnDatasets();
  // Null until first opened, so that the sheet mounts on first use.
  const [sheetOpened, setSheetOpened] = useState<boolean | null>(null);

  const select = ({ datasetCategory, datasetId }: DatasetRef) => {
    setSheetOpened(false);
    void navigate({ to: "/search", search: { category: datasetCategory, dataset: datasetId } });
  };
  const showResults = (searchId: string) => {
    const record = useOpenSearches.getState().records.find(({ id }) => id === searchId);
    void navigate({ to: "/search/$searchId", params: { searchId }, ...(record ? { hash: searchFragment(record) } : {}) });
  };
  const picker = <DatasetPicker selected={selected} onSelect={select} />;
  return {
    label: "Choose a dataset",
    intro: <PhoneIntro />,
    picker,
    selection: selected && { label: "Dataset: ", name: titleOf(own, selected), opensDialog: true, onClick: () => setSheetOpened(true) },
    content: selected ? (
      <>
        <DatasetsSearchForm key={datasetKey(selected)} dataset={selected} onStarted={showResults} />
        {phone && sheetOpened !== null && (
          <PickerSheet opened={sheetOpened} onClose={() => setSheetOpened(false)}>
            {picker}
          </PickerSheet>
        )}
      </>
    ) : (
      <DatasetsStart onSelect={select} />
    ),
  };
}

function useGroupsTab({ group, searches }: Record<string, unknown>): Tab {
  const navigate = useNavigate();
  const selected = typeof group === "string" ? group : null;
  const searchIds = typeof searches === "string" ? searches.split(",") : [];
  const show = (search: { group?: string; searches?: string }) => void navigate({ to: "/search", search: { tab: "groups", ...search } });
  const select = (name: string | null) => show(name === null ? {} : { group: name });
  return {
    label: "Choose a dataset group",
    picker: <GroupSelector selected={selected} onSelect={select} />,
    selection: selected === null ? null : { label: "Dataset group: ", name: selected, onClick: () => select(null) },
    content: (
      <DatasetGroupPane
        selected={selected}
        searchIds={searchIds}
        onStarted={(ids) => show({ group: selected ?? "", searches: ids.join() })}
        onBack={() => select(selected)}
      />
    ),
  };
}

/** List and form side by side, or one after the other on a phone. */
function Columns({
  phone,
  tabs,
  label,
  intro,
  picker,
  selection,
  content,
}: Tab & { phone: boolean; tabs: (panelId: string) => ReactNode }) {
  const panelId = useId();
  // The content keeps its place in both layouts: turning the phone must not close its open dialog.
  return (
    <div className={phone ? classes["stacked"] : classes["columns"]}>
      <div className={phone ? classes["stacked"] : classes["side"]}>
        {tabs(panelId)}
        {!phone && (
          <div role="tabpanel" id={panelId} aria-label={label} className={classes["panel"]} data-tour="datasets">
            <section aria-label={label} className={classes["selector"]}>
              {picker}
            </section>
          </div>
        )}
      </div>
      <section
        className={phone ? classes["panel"] : classes["content"]}
        {...(phone ? { role: "tabpanel", id: panelId, "aria-label": label, "data-tour": "datasets" } : { "aria-label": "Filters" })}
      >
        {phone && selection && (
          <div className={classes["selection"]}>
            <button type="button" {...(selection.opensDialog ? { "aria-haspopup": "dialog" } : {})} onClick={selection.onClick}>
              <IconDatabase size={16} aria-hidden />
              <span className="visually-hidden">{selection.label}</span>
              <span className={classes["selectionName"]}>{selection.name}</span>
              <IconChevronDown size={16} aria-hidden />
            </button>
          </div>
        )}
        {phone && !selection ? (
          <>
            {intro}
            {picker}
          </>
        ) : (
          content
        )}
      </section>
    </div>
  );
}

/** Null unless both parts are present. */
function selectionOf(query: Record<string, unknown>): DatasetRef | null {
  const { category, dataset } = query;
  return typeof category === "string" && typeof dataset === "string" ? { datasetCategory: category, datasetId: dataset } : null;
}
