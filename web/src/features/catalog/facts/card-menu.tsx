import type { DatasetRef } from "@fairway/contract/datasets";
import { IconCode } from "#ui/icons/code.ts";
import { IconFileSearch } from "#ui/icons/file-search.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { IconTerminal2 } from "#ui/icons/terminal-2.ts";
import { Link } from "@tanstack/react-router";
import { copyText } from "#lib/text/copy.ts";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { ButtonMenu } from "#ui/button-menu.tsx";
import type { MenuOfButtonProps } from "#ui/menu-button.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import { schemaUrl } from "./schema-url.ts";

/** Links from a dataset in the catalog. */
export default function CardMenu({ dataset, ...menu }: MenuOfButtonProps & { dataset: DatasetRef }) {
  const { datasetCategory: category, datasetId } = dataset;
  const isUseDisabled = useIsScreenDisabled("DatasetUse");
  const copyLink = async () => {
    if (await copyText(schemaUrl(dataset))) toastSuccess("Copied", 1200);
  };
  return (
    <ButtonMenu {...menu} position="bottom-end">
      {(Menu) => (
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconFileSearch size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/data-catalog/$datasetCategory/$datasetId" params={dataset} {...props} />}
          >
            Open Schema
          </Menu.Item>
          <Menu.Item
            leftSection={<IconSearch size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/search" search={{ category, dataset: datasetId }} {...props} />}
          >
            Search This Dataset
          </Menu.Item>
          <Menu.Item
            leftSection={<IconCode size={16} aria-hidden />}
            renderRoot={(props) => (
              <Link to="/data-catalog/$datasetCategory/$datasetId" params={dataset} search={{ dialog: "api" }} {...props} />
            )}
          >
            API Example
          </Menu.Item>
          {!isUseDisabled && (
            <Menu.Item
              leftSection={<IconTerminal2 size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/data-catalog/$datasetCategory/$datasetId/use" params={dataset} {...props} />}
            >
              Use It Elsewhere
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => void copyLink()}>
            Copy Link
          </Menu.Item>
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}
