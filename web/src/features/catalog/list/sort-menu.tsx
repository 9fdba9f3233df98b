import { ButtonMenu } from "#ui/button-menu.tsx";
import type { MenuOfButtonProps } from "#ui/menu-button.ts";
import type { CatalogSort } from "./catalog-view.ts";

interface Props extends MenuOfButtonProps {
  offered: readonly CatalogSort[];
  current: CatalogSort;
  labels: Record<CatalogSort, string>;
  onSort: (sort: CatalogSort) => void;
}

/** The orders of the catalog. */
export default function SortMenu({ offered, current, labels, onSort, ...menu }: Props) {
  return (
    <ButtonMenu {...menu} position="bottom-end">
      {(Menu) => (
        <Menu.Dropdown>
          <Menu.RadioGroup value={current} onChange={(sort) => onSort(sort as CatalogSort)}>
            {offered.map((sort) => (
              <Menu.RadioItem key={sort} value={sort} closeMenuOnClick>
                {labels[sort]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}
