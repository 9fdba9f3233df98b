import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { IconStarFilled } from "#ui/icons/star-filled-filled.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { AnnouncementMark } from "#parts/dataset-announcements/announcement-mark.tsx";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { useFavorites } from "#parts/dataset-picker/favorites.ts";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { type TitledCategory, type TitledDataset, withOwnGroups } from "#parts/own-datasets/own-groups.ts";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { DatasetThumbnail } from "#parts/dataset-profile/dataset-thumbnail.tsx";
import { groupAlike } from "#parts/open-searches/alike-searches.ts";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import CardFacts from "./start-card-facts.tsx";
import { startPageQuery } from "./start-query.ts";
import StartQuestions from "./start-questions.tsx";
import RecentlyUsed from "./start-recent.tsx";
import classes from "./datasets.module.css";
import TakeTour from "./take-tour.tsx";

const maxRecent = 5;
/** Datasets shown per category; the list on the left has all. */
const maxPerCategory = 9;

/** Shown without a selection: what one can do here, ready questions, what was used last, and what there is. */
export function DatasetsStart({ onSelect }: { onSelect: (dataset: DatasetRef) => void }) {
  const { data } = useQuery(datasetsQuery);
  const own = useOwnDatasets();
  const list = useMemo(() => withOwnGroups(data ?? [], own), [data, own]);
  const { keys } = useFavorites();
  const records = useOpenSearches((state) => state.records);
  const favorites = useMemo(
    () => list.flatMap(({ datasets }) => datasets).filter((dataset) => keys.has(datasetKey(dataset))),
    [list, keys],
  );
  const recent = useMemo(
    () =>
      groupAlike(records)
        .map(([newest]) => newest)
        .slice(0, maxRecent),
    [records],
  );
  return (
    <div className={classes["start"]}>
      <StartIntro hasOwn={records.length + favorites.length > 0} />
      {records.length > 0 && <RecentlyUsed records={recent} />}
      <Favorites datasets={favorites} onSelect={onSelect} />
      <Overview list={list} onSelect={onSelect} />
    </div>
  );
}

/** Above the list of datasets on a phone. */
export function PhoneIntro() {
  const hasOwn = useOpenSearches((state) => state.records.length > 0);
  return (
    <div className={classes["phone"]}>
      <StartIntro hasOwn={hasOwn} />
    </div>
  );
}

/** One line on what this is, the next step, and ready questions. */
function StartIntro({ hasOwn }: { hasOwn: boolean }) {
  const { data: page, isPending } = useQuery(startPageQuery);
  const title = usePortal(({ ui }) => ui?.appTitle ?? "");
  const questions = page?.questions ?? [];
  return (
    <>
      {/* The operator's line must not replace another one. */}
      <h2>{isPending ? "\u00a0" : page?.line || `${title || "Fairway"} searches, maps and charts your team’s data in one place.`}</h2>
      <p className={classes["hint"]}>
        {hasOwn
          ? "Choose a dataset, or pick up where you left off."
          : questions.length > 0
            ? "Start with a question, or choose a dataset. Star the ones you use often to keep them here."
            : "Search, map and chart any dataset below. Star the ones you use often to keep them here."}
      </p>
      <TakeTour />
      {questions.length > 0 && <StartQuestions questions={questions} />}
    </>
  );
}

/** All datasets by category with what is inside, for users who do not know the names yet. */
function Overview({ list, onSelect }: { list: readonly TitledCategory[]; onSelect: (dataset: DatasetRef) => void }) {
  const announcements = useAnnouncements();
  return list.map(({ id, description, datasets }) => (
    <section key={id} aria-label={id} className={classes["category"]}>
      <h3>{id}</h3>
      {description !== "" && <p>{description}</p>}
      <ul>
        {datasets.slice(0, maxPerCategory).map((dataset) => (
          <li key={dataset.datasetId}>
            <button type="button" onClick={() => onSelect(dataset)}>
              <DatasetThumbnail dataset={dataset} />
              <span className={classes["inside"]}>
                <span className={classes["name"]}>
                  {dataset.title ?? dataset.datasetId} <AnnouncementMark announcement={announcements.get(datasetKey(dataset))} />
                </span>
                <small>{dataset.description}</small>
                <CardFacts dataset={dataset} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {datasets.length > maxPerCategory && <p>{`and ${datasets.length - maxPerCategory} more in the list`}</p>}
    </section>
  ));
}

function Favorites({ datasets, onSelect }: { datasets: readonly TitledDataset[]; onSelect: (dataset: DatasetRef) => void }) {
  const announcements = useAnnouncements();
  if (datasets.length === 0) return null;
  return (
    <section aria-label="Favorites" className={classes["shortcuts"]}>
      <h3>Favorites</h3>
      <ul>
        {datasets.map((dataset) => (
          <li key={datasetKey(dataset)}>
            <button type="button" onClick={() => onSelect(dataset)}>
              <IconStarFilled size={16} aria-hidden className={classes["star"] ?? ""} />
              <span>{dataset.title ?? dataset.datasetId}</span>
              <AnnouncementMark announcement={announcements.get(datasetKey(dataset))} />
              <small>{dataset.title === undefined ? dataset.datasetCategory : "Own data"}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
