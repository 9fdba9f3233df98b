import { pluralize } from "@fairway/contract/counts";
import { noRowsText } from "@fairway/contract/dataset-access";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { StartQuestion } from "@fairway/contract/start-page";
import type { ViewMode } from "@fairway/contract/search-address";
import { IconArrowRight } from "#ui/icons/arrow-right.ts";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { PictureFrame } from "#parts/dataset-profile/picture-frame.tsx";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { countedAtMs, rowCountQuery } from "#parts/open-searches/row-count.ts";
import { useOpenSearches } from "#parts/open-searches/store.ts";
import { type AddressedSearch, countDataOfAddress, parseSearchAddress, searchFragment } from "#parts/search-model/search-address.ts";
import { toastError } from "#ui/toast/toast.ts";
import { useSinglePress } from "#ui/use-single-press.ts";
import QuestionPicture from "./question-picture.tsx";
import { startQuestion } from "./start-question.ts";
import classes from "./datasets.module.css";

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
  const count = useCountText(dataset, addressed);
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
      <PictureFrame isWide>{addressed && <QuestionPicture question={question} addressed={addressed} />}</PictureFrame>
      <span className={classes["inside"]}>
        <span className={classes["name"]}>{title}</span>
        <small>{count}</small>
        <span className={classes["open"]}>
          {openTexts[addressed?.viewMode ?? "table"]}
          <IconArrowRight size={14} aria-hidden />
        </span>
      </span>
    </button>
  );
}

/** The rows of the answer, or that the user has none. The dataset alone until that is known. */
function useCountText({ datasetCategory: category, datasetId }: DatasetRef, addressed: AddressedSearch | null): string {
  const body = addressed ? countDataOfAddress(addressed, countedAtMs()) : { filters: [] };
  const { data } = useQuery({ ...rowCountQuery({ category, datasetId }, body), enabled: addressed !== null });
  const rows = data?.rows ?? null;
  // Descriptions of other datasets stay to be loaded until one is chosen.
  const { data: description, isPending } = useQuery({ ...describeQuery(category, datasetId), enabled: rows === 0 });
  if (rows === null || (rows === 0 && isPending)) return datasetId;
  return description?.access?.rows === "none" ? noRowsText : `${pluralize(rows, "row")} in ${datasetId}`;
}
