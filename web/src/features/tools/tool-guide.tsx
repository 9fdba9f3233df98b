import { type AccessList, datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { datasetsQuery } from "#parts/dataset-picker/queries.ts";
import { Markdown } from "#parts/markdown/markdown.tsx";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import { fillGuide } from "#parts/tool-guides/guide-text.ts";
import { guideQuery } from "#parts/tool-guides/queries.ts";
import { CodeBlock } from "#ui/code-block.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import classes from "./tools.module.css";

/** How to use a tool, with examples that name this portal and one of the user's datasets. */
export function ToolGuide({ name }: { name: string }) {
  const guide = useQuery(guideQuery(name));
  const { data: categories = [] } = useQuery(datasetsQuery);
  const recent = useRecentDatasets();
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const groups = datasetGroups(categories, recent);
  const all = groups.flatMap(({ datasets }) => datasets);
  const dataset = all.find((one) => datasetKey(one) === chosenKey) ?? all[0];

  if (guide.data === undefined) return <WithoutData query={guide} loading={{ label: "Loading guide" }} failed="Error loading guide." />;
  return (
    <>
      {dataset && (
        <Select
          className={classes["dataset"] ?? ""}
          label="Dataset in the examples"
          data={groups.map(({ label, datasets }) => ({
            group: label,
            items: datasets.map((one) => ({ value: datasetKey(one), label: one.datasetId })),
          }))}
          value={datasetKey(dataset)}
          onChange={setChosenKey}
          allowDeselect={false}
          searchable
          nothingFoundMessage="No dataset has that name."
        />
      )}
      <div className={classes["guide"]}>
        <Markdown text={fillGuide(guide.data, location.origin, dataset)} hasHeadings code={GuideCode} />
      </div>
    </>
  );
}

const GuideCode = ({ text }: { text: string }) => <CodeBlock label="example" text={text} />;

/** The datasets of open searches, the newest first. */
function useRecentDatasets(): DatasetRef[] {
  const records = useOpenSearches((state) => state.records);
  const refs = records.map(({ datasetDescription: { category, datasetId } }) => ({ datasetCategory: category.id, datasetId }));
  return [...new Map(refs.map((ref) => [datasetKey(ref), ref])).values()];
}

/** Recently searched datasets first, then the others by category. */
function datasetGroups(categories: AccessList, recent: readonly DatasetRef[]): { label: string; datasets: readonly DatasetRef[] }[] {
  const recentKeys = new Set(recent.map(datasetKey));
  const others = categories.map(({ id, datasets }) => ({
    label: id,
    datasets: datasets.filter((one) => !recentKeys.has(datasetKey(one))),
  }));
  return [{ label: "Recent searches", datasets: recent }, ...others].filter(({ datasets }) => datasets.length > 0);
}
