import { Button, Kbd, TextInput } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { IconX } from "#ui/icons/x.ts";
import { useRef, useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { useMenuButton } from "#ui/menu-button.ts";
import classes from "./list.module.css";
import { type CatalogView, type CatalogSort, maxSearchCharacters } from "./catalog-view.ts";
import SortMenu from "./sort-menu.tsx";

export const sortLabels: Record<CatalogSort, string> = {
  match: "Best match",
  name: "Name",
  updated: "Recently updated",
  used: "Most used",
};

interface Props {
  view: CatalogView;
  onChange: (view: CatalogView) => void;
}

interface HeaderProps extends Props {
  /** On a phone, a button shows and hides them. */
  filters: { id: string; isOpen: boolean; onToggle: () => void };
}

/** The box that searches everything that describes datasets, and their order. */
export function CatalogHeader({ view, onChange, filters }: HeaderProps) {
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
          view.text === "" ? (
            <Kbd aria-hidden>/</Kbd>
          ) : (
            <IconButton
              label="Clear the search"
              onClick={() => {
                onChange({ ...view, text: "" });
                input.current?.focus();
              }}
            >
              <IconX size={16} aria-hidden />
            </IconButton>
          )
        }
        value={view.text}
        onChange={(event) => onChange({ ...view, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || view.text === "") return;
          event.stopPropagation();
          onChange({ ...view, text: "" });
        }}
      />
      <SortButton view={view} onChange={onChange} />
      <span className={classes["catalogHeaderFilters"]}>
        <IconButton label="Filters" aria-expanded={filters.isOpen} aria-controls={filters.id} onClick={filters.onToggle}>
          <IconFilter size={16} aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}

function SortButton({ view, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(isOpen, setOpen);
  // Without a search, there are no matches to order by.
  const offered = (["match", "name", "updated", "used"] as const).filter((sort) => sort !== "match" || view.text.trim() !== "");
  const current = offered.includes(view.sort) ? view.sort : "name";
  return (
    <>
      <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />} {...buttonProps}>
        <span className={classes["sortName"]}>Sort:</span> {sortLabels[current]}
      </Button>
      {menuProps && (
        <SortMenu {...menuProps} offered={offered} current={current} labels={sortLabels} onSort={(sort) => onChange({ ...view, sort })} />
      )}
    </>
  );
}
