import { datasetKey, type DatasetSchema } from "@fairway/contract/datasets";
import { TextInput } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { memo, type ReactNode, useMemo, useRef, useState } from "react";
import { anyPattern, findPattern } from "#lib/text/find-text.ts";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { coarseColumnsOf, noCoarseColumns } from "#parts/reader-part/coarse-columns.ts";
import { withheldColumnsText } from "#parts/reader-part/part-text.ts";
import { profileQuery } from "#parts/dataset-profile/queries.ts";
import { island } from "#ui/island.tsx";
import { EmptyState } from "#ui/states.tsx";
import { changeCount, type Draft, type DraftMode, isConflict, storedText, withDescription } from "../descriptions/description-draft.ts";
import DescriptionField from "../descriptions/description-field.tsx";
import { DescriptionText } from "../descriptions/description-text.tsx";
import { SuggestionsFooter } from "../suggestions/suggestions-footer.tsx";
import { Suggestions } from "../suggestions/suggestions.tsx";
import { JumpToDataset } from "../suggestions/use-jump.ts";
import FactList from "./fact-list.tsx";
import { SampleSection } from "./sample-section.tsx";
import { SchemaColumns } from "./schema-columns.tsx";
import { SchemaOverview } from "./schema-overview.tsx";
import classes from "./schema.module.css";

// Few datasets are own ones.
const OwnData = memo(island(() => import("../own-data/own-data-section.tsx")));

// Not rendered again by each key that is typed into a description.
const Overview = memo(SchemaOverview);
const Sample = memo(SampleSection);
const Facts = memo(FactList);

interface Props {
  schema: DatasetSchema;
  draft: Draft | null;
  onDraft: (draft: Draft) => void;
}

/** The descriptions of a dataset over the list of its columns. While a draft is edited, one layer consists of text fields. */
export function SchemaView({ schema, draft, onDraft }: Props) {
  const { column: wanted, find: words, at }: Record<string, unknown> = useSearch({ strict: false });
  const found = useMemo(() => foundPattern(words), [words]);
  const [filter, setFilter] = useState(typeof wanted === "string" ? wanted : "");
  const scroller = useRef<HTMLDivElement>(null);
  const own = useOwnDatasets().get(datasetKey(schema.dataset));
  const profile = useQuery(profileQuery(schema.dataset.datasetCategory, schema.dataset.datasetId));
  const { data: description } = useQuery(describeQuery(schema.dataset.datasetCategory, schema.dataset.datasetId));
  const isUnsupported = profile.data?.state === "unsupported";
  const needle = filter.trim().toLowerCase();
  const highlighted = useMemo(() => (needle === "" ? found : findPattern(needle)), [needle, found]);
  const columns = useMemo(
    () =>
      schema.columns.filter((column) =>
        [column.name, column.unit ?? "", column.description, column.communityDescription, column.userDescription].some((text) =>
          text.toLowerCase().includes(needle),
        ),
      ),
    [schema.columns, needle],
  );
  const layerField = (mode: DraftMode) => {
    const stored = storedText({ mode }, schema);
    if (draft?.mode !== mode) return <DescriptionText text={stored} find={found} />;
    return (
      <DescriptionField
        label={mode === "community" ? "Community description" : "Private description"}
        maxLength={20_000}
        stored={stored}
        text={draft.description?.text ?? stored}
        isConflict={isConflict(draft.description, stored)}
        onChange={(text) => onDraft(withDescription(draft, text, stored))}
      />
    );
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div ref={scroller} className={classes["scroll"]} tabIndex={0} role="region" aria-label="Schema">
        <div className={classes["layers"]}>
          <Layer name="System" note="from the owner">
            <DescriptionText text={schema.description} find={found} />
          </Layer>
          <Layer name="Community" note="everyone sees it">
            {layerField("community")}
            {draft === null && <Suggestions columnName={null} stored={schema.communityDescription} />}
          </Layer>
          <Layer name="Private" note="only you see it">
            {layerField("private")}
          </Layer>
        </div>
        {own && <OwnData own={own} />}
        <Overview dataset={schema.dataset} />
        <Facts dataset={schema.dataset} />
        <div className={classes["columnsHead"]}>
          <div>
            <h2>
              Columns <span>{schema.columns.length.toLocaleString("en-US")}</span>
            </h2>
            {description?.access?.hasWithheldColumns === true && <p className={classes["withheld"]}>{withheldColumnsText}</p>}
          </div>
          <TextInput
            aria-label="Filter columns"
            placeholder="Filter columns"
            leftSection={<IconSearch size={16} aria-hidden />}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
            data-page-filter
          />
        </div>
        {columns.length === 0 ? (
          <>
            <EmptyState>
              {schema.columns.length === 0
                ? "This dataset's columns are read from the rows of a search."
                : `No column matches “${filter.trim()}”.`}
            </EmptyState>
            <JumpToDataset scrollTo={() => scroller.current?.scrollTo({ top: 0 })} />
          </>
        ) : (
          <SchemaColumns
            dataset={schema.dataset}
            columns={columns}
            coarse={description === undefined ? noCoarseColumns : coarseColumnsOf(description)}
            total={schema.columns.length}
            find={highlighted}
            target={typeof at === "string" || typeof at === "number" ? String(at) : null}
            scroller={scroller}
            draft={draft}
            onDraft={onDraft}
            profile={isUnsupported || profile.data?.state === "restricted" ? null : (profile.data?.profile ?? undefined)}
          />
        )}
        {profile.data && !isUnsupported && <Sample schema={schema} />}
      </div>
      <footer className={classes["footer"]}>
        <span role="status">{draft ? changesText(changeCount(draft)) : countText(columns.length, schema.columns.length)}</span>
        {draft === null && <SuggestionsFooter onShow={() => setFilter("")} />}
      </footer>
    </>
  );
}

function Layer({ name, note, children }: { name: string; note: string; children: ReactNode }) {
  return (
    <section aria-label={`${name} description`}>
      <h2>
        {name} <span>{note}</span>
      </h2>
      {children}
    </section>
  );
}

/** Pattern of the words that a search of the catalog found here, those of `?find=`. */
const foundPattern = (words: unknown): RegExp | null =>
  typeof words === "string" || typeof words === "number"
    ? anyPattern(
        String(words)
          .split(" ")
          .filter((word) => word !== "")
          .slice(0, 20),
      )
    : null;

const number = (count: number): string => count.toLocaleString("en-US");

const countText = (shown: number, all: number): string =>
  shown === all ? `${number(all)} ${all === 1 ? "column" : "columns"}` : `${number(shown)} of ${number(all)} columns`;

const changesText = (count: number): string => `${number(count)} changed ${count === 1 ? "description" : "descriptions"}`;
