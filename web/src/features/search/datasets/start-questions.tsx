import { pluralize } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { StartQuestion } from "@fairway/contract/start-page";
import { IconArrowRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { messagesOf } from "#lib/gateway-error.ts";
import { queryClient } from "#lib/query-client.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { DatasetThumbnail } from "#parts/dataset-profile/dataset-thumbnail.tsx";
import { countedAtMs, rowCountQuery } from "#parts/open-searches/row-count.ts";
import { openSearches, useOpenSearches } from "#parts/open-searches/store.ts";
import {
  type AddressedSearch,
  countDataOfAddress,
  definitionOf,
  parseSearchAddress,
  searchFragment,
} from "#parts/search-model/search-address.ts";
import type { ViewMode } from "#parts/search-model/search-record.ts";
import { toastError } from "#ui/toast.ts";
import { useSinglePress } from "#ui/use-single-press.ts";
import classes from "./start.module.css";

const openTexts: Readonly<Record<ViewMode, string>> = {
  table: "Open table",
  raw: "Open raw rows",
  map: "Open map",
  graphs: "Open graph",
};

/** Ready questions on the data. Each opens its live results. */
export default function StartQuestions({ questions }: { questions: readonly StartQuestion[] }) {
  return (
    <section aria-label="Questions to try" className={classes["questions"]}>
      <h3>Questions to try</h3>
      <ul>
        {questions.map((question) => (
          <li key={question.title}>
            <Question question={question} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Question({ question }: { question: StartQuestion }) {
  const { title, dataset } = question;
  const navigate = useNavigate();
  const ignoreRepeated = useSinglePress();
  const addressed = parseSearchAddress("", question.search);
  const rows = useRowCount(dataset, addressed);
  const open = async () => {
    try {
      const id = await startQuestion(question);
      const record = useOpenSearches.getState().records.find((one) => one.id === id);
      await navigate({ to: "/search/$searchId", params: { searchId: id }, ...(record ? { hash: searchFragment(record) } : {}) });
    } catch (error) {
      toastError("Failed to open the question", messagesOf(error).join(" "));
    }
  };
  return (
    <button type="button" onClick={() => ignoreRepeated(() => void open())}>
      <DatasetThumbnail dataset={dataset} isWide />
      <span className={classes["inside"]}>
        <span className={classes["name"]}>{title}</span>
        <small>{rows === null ? dataset.datasetId : `${pluralize(rows, "row")} in ${dataset.datasetId}`}</small>
        <span className={classes["open"]}>
          {openTexts[addressed?.viewMode ?? "table"]}
          <IconArrowRight size={14} aria-hidden />
        </span>
      </span>
    </button>
  );
}

/** Null until it is known. Descriptions of datasets stay to be loaded until one is chosen. */
function useRowCount({ datasetCategory: category, datasetId }: DatasetRef, addressed: AddressedSearch | null): number | null {
  const body = addressed ? countDataOfAddress(addressed, countedAtMs()) : { filters: [] };
  return useQuery({ ...rowCountQuery({ category, datasetId }, body), enabled: addressed !== null }).data?.rows ?? null;
}

/** Runs the search of a question, with its graph if it has one, and returns its id. */
async function startQuestion(question: StartQuestion): Promise<string> {
  const { dataset, graph } = question;
  const description = await queryClient.ensureQueryData(describeQuery(dataset.datasetCategory, dataset.datasetId));
  const addressed = parseSearchAddress("", question.search);
  if (!addressed) throw new Error("The address of the question is not one of this version. Tell your administrator.");
  const { filters, isSample, sort, visibleColumns, viewMode } = definitionOf(addressed, description, Date.now());
  const graphs = graph && (await import("#features/search/graphs/question-graph.ts"));
  const id = openSearches.start(description, filters, { isSample, sort, visibleColumns, viewMode });
  if (graphs) graphs.addQuestionGraph(id, graph);
  return id;
}
