import { IconBellRinging } from "#ui/icons/bell-ringing.ts";
import { IconClockPin } from "#ui/icons/clock-pin.ts";
import { IconColumns3 } from "#ui/icons/columns-3.ts";
import { IconDatabaseExport } from "#ui/icons/database-export.ts";
import { IconDeviceFloppy } from "#ui/icons/device-floppy.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconFileSearch } from "#ui/icons/file-search.ts";
import { IconFilter } from "#ui/icons/filter.ts";
import { IconLayoutDashboard } from "#ui/icons/layout-dashboard.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconMap2 } from "#ui/icons/map-2.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { IconSquareX } from "#ui/icons/square-x.ts";
import { IconSum } from "#ui/icons/sum.ts";
import { IconTerminal2 } from "#ui/icons/terminal-2.ts";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import { SendByEmailItem } from "#features/search/subscriptions/send-item.tsx";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { ButtonMenu } from "#ui/button-menu.tsx";
import type { MenuOfButtonProps } from "#ui/menu-button.ts";
import { OwnDatasetItems } from "./own-dataset-items.tsx";

export interface ResultsActionsProps {
  isSample: boolean;
  hasRows: boolean;
  showsColumns: boolean;
  showsFilters: boolean;
  onClose: () => void;
  onCopyCurl: () => void;
  onCopyLink: () => void;
  /** Set if the time range is relative: copies a link with the absolute range. */
  onCopyFixedLink: (() => void) | undefined;
  onSchema: () => void;
  onExport: () => void;
  /** Set if the dataset supports exporting all rows. */
  onExportAll: (() => void) | undefined;
  /** Set if summaries are drawn in a dialog. */
  onSummarize: (() => void) | undefined;
  /** Set if the rows have locations, but no map of items. */
  onShowRowsOnMap: (() => void) | undefined;
  /** Set if the search can have further columns. */
  onAddColumn: (() => void) | undefined;
  onToggleColumns: () => void;
  onToggleFilters: () => void;
  onRerun: () => void;
  onSave: () => void;
  onAddToBoard: () => void;
  onCreateAlert: () => void;
  onSendByEmail: () => void;
  /** Set if a user has brought the dataset. */
  own: OwnDataset | undefined;
  onShare: () => void;
}

const icon = { size: 16, "aria-hidden": true } as const;

export default function ActionsMenu({ id, target, opened, onChange, ...props }: MenuOfButtonProps & ResultsActionsProps) {
  const { isSample, hasRows, showsColumns, showsFilters } = props;
  const areBoardsDisabled = useIsScreenDisabled("Boards");
  const areAlertsDisabled = useIsScreenDisabled("Alerts");
  return (
    <ButtonMenu id={id} target={target} opened={opened} onChange={onChange} position="bottom-end" width={248} trapFocus>
      {(Menu) => (
        <Menu.Dropdown aria-label="Actions">
          <Menu.Item leftSection={<IconSquareX {...icon} />} onClick={props.onClose}>
            Close Search
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconTerminal2 {...icon} />} onClick={props.onCopyCurl}>
            Copy cURL Command
          </Menu.Item>
          <Menu.Item leftSection={<IconLink {...icon} />} onClick={props.onCopyLink}>
            Copy Link to Search
          </Menu.Item>
          {props.onCopyFixedLink && (
            <Menu.Item leftSection={<IconClockPin {...icon} />} onClick={props.onCopyFixedLink}>
              Copy Link with Absolute Time
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconFileSearch {...icon} />} onClick={props.onSchema}>
            Explore Dataset Schema
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload {...icon} />} disabled={!hasRows} onClick={props.onExport}>
            Export Current Results
          </Menu.Item>
          {props.onExportAll && (
            <Menu.Item leftSection={<IconDatabaseExport {...icon} />} onClick={props.onExportAll}>
              Export All Results
            </Menu.Item>
          )}
          {props.onShowRowsOnMap && (
            <Menu.Item leftSection={<IconMap2 {...icon} />} onClick={props.onShowRowsOnMap}>
              Show Rows on Map
            </Menu.Item>
          )}
          {props.onSummarize && (
            <Menu.Item leftSection={<IconSum {...icon} />} onClick={props.onSummarize}>
              Summarize Results
            </Menu.Item>
          )}
          <Menu.Divider />
          {props.onAddColumn && (
            <Menu.Item leftSection={<IconPlus {...icon} />} onClick={props.onAddColumn}>
              Add Column
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconColumns3 {...icon} />} onClick={props.onToggleColumns}>
            {showsColumns ? "Hide Column Visibility" : "Show Column Visibility"}
          </Menu.Item>
          <Menu.Item leftSection={<IconFilter {...icon} />} disabled={isSample} onClick={props.onToggleFilters}>
            {showsFilters ? "Hide Filters" : "Show Filters"}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconRefresh {...icon} />} onClick={props.onRerun}>
            Rerun Search
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDeviceFloppy {...icon} />}
            disabled={isSample}
            title={isSample ? "A sample has no filters to save." : undefined}
            onClick={props.onSave}
          >
            Save Search Filters
          </Menu.Item>
          {!areBoardsDisabled && (
            <Menu.Item leftSection={<IconLayoutDashboard {...icon} />} disabled={isSample} onClick={props.onAddToBoard}>
              Add to Board
            </Menu.Item>
          )}
          {!areAlertsDisabled && (
            <Menu.Item leftSection={<IconBellRinging {...icon} />} disabled={isSample} onClick={props.onCreateAlert}>
              Create Alert
            </Menu.Item>
          )}
          <SendByEmailItem item={Menu.Item} disabled={isSample} onSend={props.onSendByEmail} />
          {props.own && <OwnDatasetItems own={props.own} item={Menu.Item} divider={Menu.Divider} onShare={props.onShare} />}
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}
