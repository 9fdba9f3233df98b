import { type AccessList, datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { IconClock, IconStarFilled } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { AnnouncementMark } from "#parts/dataset-announcements/announcement-mark.tsx";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { useFavorites } from "#parts/dataset-picker/favorites.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import classes from "./start.module.css";

const maxRecent = 5;
/** Datasets shown per category; the list on the left has all. */
const maxPerCategory = 9;

/** Shown without a selection: recent and favorite datasets, and an overview. */
export function DatasetsStart({ onSelect }: { onSelect: (dataset: DatasetRef) => void }) {
  const { data: list = [] } = useQuery(datasetsQuery);
  const { keys } = useFavorites();
  const records = useOpenSearches((state) => state.records);
  const accessible = useMemo(() => list.flatMap(({ datasets }) => datasets), [list]);
  const favorites = accessible.filter((dataset) => keys.has(datasetKey(dataset)));
  const recentKeys = [
    ...new Set(records.map(({ datasetDescription: { category, datasetId } }) => datasetKey({ datasetCategory: category.id, datasetId }))),
  ];
  const recent = recentKeys.flatMap((key) => accessible.find((dataset) => datasetKey(dataset) === key) ?? []).slice(0, maxRecent);
  return (
    <div className={classes["start"]}>
      <h2>Choose a dataset to search</h2>
      <p className={classes["hint"]}>
        {recent.length + favorites.length > 0
          ? "Pick one from the list, or go on with one of these."
          : "Pick one from the list. What you mark with a star is found here."}
      </p>
      <Shortcuts title="Recently used" icon={<IconClock size={16} aria-hidden />} datasets={recent} onSelect={onSelect} />
      <Shortcuts
        title="Favourites"
        icon={<IconStarFilled size={16} aria-hidden className={classes["star"] ?? ""} />}
        datasets={favorites}
        onSelect={onSelect}
      />
      <Overview list={list} onSelect={onSelect} />
    </div>
  );
}

/** All datasets by category with their descriptions, for users who do not know the names yet. */
function Overview({ list, onSelect }: { list: AccessList; onSelect: (dataset: DatasetRef) => void }) {
  const announcements = useAnnouncements();
  return list.map(({ id, description, datasets }) => (
    <section key={id} aria-label={id} className={classes["category"]}>
      <h3>{id}</h3>
      {description !== "" && <p>{description}</p>}
      <ul>
        {datasets.slice(0, maxPerCategory).map((dataset) => (
          <li key={dataset.datasetId}>
            <button type="button" onClick={() => onSelect(dataset)}>
              <span>
                {dataset.datasetId} <AnnouncementMark announcement={announcements.get(datasetKey(dataset))} />
              </span>
              <small>{dataset.description}</small>
            </button>
          </li>
        ))}
      </ul>
      {datasets.length > maxPerCategory && <p>{`and ${datasets.length - maxPerCategory} more in the list`}</p>}
    </section>
  ));
}

interface ShortcutsProps {
  title: string;
  icon: React.ReactNode;
  datasets: readonly DatasetRef[];
  onSelect: (dataset: DatasetRef) => void;
}

function Shortcuts({ title, icon, datasets, onSelect }: ShortcutsProps) {
  const announcements = useAnnouncements();
  if (datasets.length === 0) return null;
  return (
    <section aria-label={title} className={classes["shortcuts"]}>
      <h3>{title}</h3>
      <ul>
        {datasets.map((dataset) => (
          <li key={datasetKey(dataset)}>
            <button type="button" onClick={() => onSelect(dataset)}>
              {icon}
              <span>{dataset.datasetId}</span>
              <AnnouncementMark announcement={announcements.get(datasetKey(dataset))} />
              <small>{dataset.datasetCategory}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
