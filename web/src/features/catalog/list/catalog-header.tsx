import { Button, Kbd, TextInput } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { IconX } from "#ui/icons/x.ts";
import { useRef, useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { useMenuButton } from "#ui/menu-button.ts";
import classes from "./catalog-header.module.css";
import { type CatalogPlace, type CatalogSort, maxSearchCharacters } from "./catalog-place.ts";
import SortMenu from "./sort-menu.tsx";

export const sortLabels: Record<CatalogSort, string> = {
  match: "Best match",
  name: "Name",
  updated: "Recently updated",
  used: "Most used",
};

interface Props {
  place: CatalogPlace;
  onChange: (place: CatalogPlace) => void;
}

interface HeaderProps extends Props {
  /** On a phone, a button shows and hides them. */
  filters: { id: string; isOpen: boolean; onToggle: () => void };
}

/** The box that searches everything that describes datasets, and their order. */
export function CatalogHeader({ place, onChange, filters }: HeaderProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes["tools"]}>
      <TextInput
        ref={input}
        className={classes["search"] ?? ""}
        aria-label="Search the catalog"
        placeholder="Search names, columns and descriptions"
        maxLength={maxSearchCharacters}
        data-page-filter
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={
          place.text === "" ? (
            <Kbd aria-hidden>/</Kbd>
          ) : (
            <IconButton
              label="Clear the search"
              onClick={() => {
                onChange({ ...place, text: "" });
                input.current?.focus();
              }}
            >
              <IconX size={16} aria-hidden />
            </IconButton>
          )
        }
        value={place.text}
        onChange={(event) => onChange({ ...place, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || place.text === "") return;
          event.stopPropagation();
          onChange({ ...place, text: "" });
        }}
      />
      <SortButton place={place} onChange={onChange} />
      <span className={classes["filters"]}>
        <IconButton label="Filters" aria-expanded={filters.isOpen} aria-controls={filters.id} onClick={filters.onToggle}>
          <IconFilter size={16} aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}

function SortButton({ place, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(isOpen, setOpen);
  // Without a search, there are no matches to order by.
  const offered = (["match", "name", "updated", "used"] as const).filter((sort) => sort !== "match" || place.text.trim() !== "");
  const current = offered.includes(place.sort) ? place.sort : "name";
  return (
    <>
      <Button variant="default" className={classes["sort"] ?? ""} rightSection={<IconChevronDown size={16} aria-hidden />} {...buttonProps}>
        <span className={classes["sortName"]}>Sort:</span> {sortLabels[current]}
      </Button>
      {menuProps && (
        <SortMenu {...menuProps} offered={offered} current={current} labels={sortLabels} onSort={(sort) => onChange({ ...place, sort })} />
      )}
    </>
  );
}
