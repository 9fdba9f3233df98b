import { type AccessList, datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { Checkbox, Text, TextInput } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { IconStar } from "#ui/icons/star.ts";
import { IconStarFilled } from "#ui/icons/star-filled-filled.ts";
import { IconWorld } from "#ui/icons/world.ts";
import { useState } from "react";
import { AnnouncementMark } from "#parts/dataset-announcements/announcement-mark.tsx";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { useFavorites } from "./favorites.ts";
import { selectionState, withDatasetToggled, withHeaderToggled } from "./multi-selection.ts";
import { type PickerCategory, type PickerDataset, pickerCategories } from "./picker-rows.ts";
import uiClasses from "#ui/ui.module.css";
import classes from "./dataset-picker.module.css";

interface Props {
  list: AccessList;
  chosen: readonly DatasetRef[];
  onChange: (chosen: DatasetRef[]) => void;
  /** Adds stars to toggle favorites, and a filter for them. */
  withFavorites?: boolean;
}

/** Selects several of the datasets that this user may access. A category's header selects all datasets shown below it. */
export function MultiDatasetPicker({ withFavorites = false, ...props }: Props) {
  return withFavorites ? <WithFavorites {...props} /> : <Picker {...props} favorites={null} />;
}

function WithFavorites(props: Omit<Props, "withFavorites">) {
  return <Picker {...props} favorites={useFavorites()} />;
}

type Favorites = Pick<ReturnType<typeof useFavorites>, "keys" | "toggle"> | null;

function Picker({ list, chosen, onChange, favorites }: Omit<Props, "withFavorites"> & { favorites: Favorites }) {
  const [text, setText] = useState("");
  const [onlyFavorites, setOnlyFavorites] = useState(false);
  const categories = pickerCategories(list, { text, onlyKeys: favorites && onlyFavorites ? favorites.keys : null });
  return (
    <fieldset className={`${uiClasses["fieldGroup"]} ${classes["multiPicker"]}`}>
      <legend>Datasets</legend>
      <TextInput
        type="search"
        aria-label="Search datasets to choose"
        placeholder="Search datasets"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter must not submit the surrounding form.
          if (event.key === "Enter") event.preventDefault();
        }}
        leftSection={<IconSearch size={16} aria-hidden />}
        autoComplete="off"
        spellCheck={false}
      />
      {favorites && (
        <Checkbox label="Favorites only" checked={onlyFavorites} onChange={(event) => setOnlyFavorites(event.currentTarget.checked)} />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div className={classes["list"]} role="group" aria-label="Datasets to choose from" tabIndex={0}>
        {list.length === 0 && <Text c="dimmed">No Datasets Available</Text>}
        {list.length > 0 && categories.length === 0 && <Text c="dimmed">No dataset matches.</Text>}
        {categories.map((category) => (
          <Category key={category.id} category={category} chosen={chosen} onChange={onChange} favorites={favorites} />
        ))}
      </div>
    </fieldset>
  );
}

interface CategoryProps extends Pick<Props, "chosen" | "onChange"> {
  category: PickerCategory;
  favorites: Favorites;
}

function Category({ category: { id, datasets }, chosen, onChange, favorites }: CategoryProps) {
  const announcements = useAnnouncements();
  const state = selectionState(datasets, chosen);
  return (
    <div role="group" aria-label={id}>
      <Checkbox
        className={classes["multiPickerHeader"] ?? ""}
        label={id}
        checked={state === "all"}
        indeterminate={state === "some"}
        onChange={() => onChange(withHeaderToggled(chosen, datasets))}
      />
      {datasets.map((dataset) => (
        <div key={datasetKey(dataset)} className={classes["multiPickerRow"]}>
          <Checkbox
            label={dataset.datasetId}
            checked={selectionState([dataset], chosen) === "all"}
            onChange={() => onChange(withDatasetToggled(chosen, dataset))}
          />
          <AnnouncementMark announcement={announcements.get(datasetKey(dataset))} />
          {dataset.supportsMapResults && <IconWorld size={16} role="img" aria-label="Supports map results" />}
          {favorites && <Star dataset={dataset} favorites={favorites} />}
        </div>
      ))}
    </div>
  );
}

function Star({ dataset, favorites }: { dataset: PickerDataset; favorites: NonNullable<Favorites> }) {
  const isFavorite = favorites.keys.has(datasetKey(dataset));
  return (
    <button
      type="button"
      className={classes["multiPickerStar"]}
      aria-pressed={isFavorite}
      aria-label={`Favorite ${dataset.datasetId}`}
      title={isFavorite ? "Remove from favorites" : "Add to favorites"}
      onClick={() => favorites.toggle(dataset)}
    >
      {isFavorite ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
    </button>
  );
}
