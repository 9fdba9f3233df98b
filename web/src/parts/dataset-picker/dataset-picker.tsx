import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { ActionIcon, Kbd, Stack, TextInput } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { IconStar } from "#ui/icons/star.ts";
import { IconStarFilled } from "#ui/icons/star-filled-filled.ts";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { type TitledCategory, withOwnGroups } from "#parts/own-datasets/own-groups.ts";
import { useOwnDatasets } from "#parts/own-datasets/queries.ts";
import { Hint } from "#ui/hint.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { useFavorites } from "./favorites.ts";
import { PickerList } from "./picker-list.tsx";
import { pickerCategories, pickerCounts } from "./picker-rows.ts";
import { datasetsQuery } from "./queries.ts";
import classes from "./dataset-picker.module.css";

interface Props {
  selected: DatasetRef | null;
  onSelect: (dataset: DatasetRef) => void;
}

/** Selects one of the datasets that this user may access, grouped by category. */
export function DatasetPicker({ selected, onSelect }: Props) {
  const { data, error, refetch, isFetching } = useQuery(datasetsQuery);
  const own = useOwnDatasets();
  const list = useMemo(() => data && withOwnGroups(data, own), [data, own]);
  if (list) return <LoadedPicker list={list} selected={selected} onSelect={onSelect} />;
  return (
    <Stack gap={0} flex={1} mih={0}>
      {error && !isFetching ? (
        <ErrorState message="Error loading datasets." onRetry={() => void refetch()} />
      ) : (
        <LoadingRows label="Loading datasets" rows={12} />
      )}
    </Stack>
  );
}

function LoadedPicker({ list, selected, onSelect }: Props & { list: readonly TitledCategory[] }) {
  const { keys, toggle } = useFavorites();
  const [text, setText] = useState("");
  const [onlyFavorites, setOnlyFavorites] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const grid = useRef<HTMLDivElement>(null);

  const all = list.flatMap(({ datasets }) => datasets);
  const categories = pickerCategories(list, { text, onlyKeys: onlyFavorites ? keys : null });
  const shown = categories.flatMap(({ datasets }) => datasets);
  const favorites = all.filter((dataset) => keys.has(datasetKey(dataset)));

  const onSearchKey = (event: KeyboardEvent) => {
    const [first] = shown;
    if (event.key === "ArrowDown") {
      event.preventDefault();
      grid.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    } else if (event.key === "Enter" && first) {
      event.preventDefault();
      onSelect(first);
    } else if (event.key === "Escape" && text !== "") {
      event.stopPropagation();
      setText("");
    }
  };

  if (all.length === 0) return <p className={classes["empty"]}>No Datasets Available</p>;
  return (
    <Stack gap={0} flex={1} mih={0}>
      <div className={classes["search"]}>
        <TextInput
          ref={search}
          type="search"
          aria-label="Search datasets"
          placeholder="Search datasets"
          data-page-filter
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onSearchKey}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={text === "" ? <Kbd className={classes["key"] ?? ""}>/</Kbd> : undefined}
          rightSectionPointerEvents="none"
          autoComplete="off"
          spellCheck={false}
          className={classes["input"] ?? ""}
        />
        <Hint label="Favorites only">
          <ActionIcon
            variant="subtle"
            color={onlyFavorites ? "accent" : "gray"}
            size={32}
            aria-label="Favorites only"
            aria-pressed={onlyFavorites}
            onClick={() => setOnlyFavorites(!onlyFavorites)}
          >
            {onlyFavorites ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
          </ActionIcon>
        </Hint>
      </div>
      <div className={classes["scroll"]}>
        {shown.length === 0 ? (
          <p className={classes["empty"]}>
            {onlyFavorites && text === "" ? "No favorites yet. Star a dataset to add it." : "No dataset matches."}
          </p>
        ) : (
          <PickerList
            ref={grid}
            categories={categories}
            selected={selected}
            favorites={keys}
            onSelect={onSelect}
            onToggleFavorite={toggle}
            onType={() => search.current?.focus()}
          />
        )}
      </div>
      <p className={classes["footer"]} aria-live="polite">
        {pickerCounts(shown.length, all.length, favorites.length)}
      </p>
    </Stack>
  );
}
