import { Menu } from "@mantine/core";
import { ButtonMenu } from "#ui/button-menu.tsx";
import type { LazyMenuProps } from "#ui/lazy-menu.ts";
import type { CatalogSort } from "./catalog-place.ts";

interface Props extends LazyMenuProps {
  offered: readonly CatalogSort[];
  current: CatalogSort;
  labels: Record<CatalogSort, string>;
  onSort: (sort: CatalogSort) => void;
}

/** The orders of the catalog. */
export default function SortMenu({ offered, current, labels, onSort, ...menu }: Props) {
  return (
    <ButtonMenu {...menu} position="bottom-end">
      <Menu.Dropdown>
        <Menu.RadioGroup value={current} onChange={(sort) => onSort(sort as CatalogSort)}>
          {offered.map((sort) => (
            <Menu.RadioItem key={sort} value={sort} closeMenuOnClick>
              {labels[sort]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
