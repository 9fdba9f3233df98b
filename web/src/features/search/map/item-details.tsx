import { formatCount, pluralize } from "@fairway/contract/counts";
import { type Column, columnTitle, isMoment } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ResultRow } from "@fairway/contract/search";
import { Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconFolderOpen } from "#ui/icons/folder-open.ts";
import { IconMapPin } from "#ui/icons/map-pin.ts";
import { IconRoute } from "#ui/icons/route.ts";
import { IconStack2 } from "#ui/icons/stack-2.ts";
import { IconX } from "#ui/icons/x.ts";
import type { ReactNode } from "react";
import { cellText, coordinatesOf, type FilesetPath, filesetPathOf, readsAsCode } from "#lib/text/cell-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { keyColumns } from "#features/search/map/model/key-columns.ts";
import { hasPath, type PathPoints } from "#features/search/map/model/path-model.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { coarseColumnsOf, type ShownForm } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { Breakable } from "#ui/breakable.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import { SheetHandle } from "./sheet-handle.tsx";
import classes from "./frame/map.module.css";

interface Props {
  item: MapItem;
  /** The row at the shown time; null while it is loaded. */
  row: ResultRow | null;
  /** The item appears after the shown time. */
  isUnseen: boolean;
  description: DatasetDescription;
  /** Every field instead of the few that say most. */
  showsAll: boolean;
  onShowAll: (showsAll: boolean) => void;
  isPhone: boolean;
  path: PathState | undefined;
  /** A warning about the path, if shown here. */
  warning: ReactNode;
  onClose: () => void;
  onTogglePath: () => void;
  onLayers: () => void;
  /** Opens the location dialog of a COORDINATES column. */
  onShowLocation: (title: string, point: { lat: number; lng: number }) => void;
  /** Opens the file browser of a FILESET column. */
  onShowFiles: (title: string, path: FilesetPath) => void;
}

/** The selected item: its row at the shown time, its path, and access to its layers. */
export function ItemDetails(props: Props) {
  const { item, row, isUnseen, description, showsAll, onShowAll, isPhone, path, warning, onClose, onTogglePath, onLayers } = props;
  const { columns } = description.schema;
  const coarse = coarseColumnsOf(description);
  const few = keyColumns(description);
  const shown = showsAll ? columns : few;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the card
    <section
      className={`${classes["card"]} ${classes["details"]}`}
      aria-label={`Details of ${item.name}`}
      data-expanded={showsAll}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      {isPhone && <SheetHandle isExpanded={showsAll} onExpand={onShowAll} onClose={onClose} />}
      <div className={classes["head"]}>
        <h2>{item.name}</h2>
        <IconButton label="Close details" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div className={classes["body"]} tabIndex={0} role="region" aria-label="Fields of the item" aria-busy={row === null}>
        {isUnseen ? (
          <p className={classes["unseen"]}>Not yet seen at the playback time.</p>
        ) : (
          <dl className={classes["facts"]} data-loading={row === null}>
            {shown.map((column) => (
              <Fact
                key={column.name}
                column={column}
                coarse={coarse.get(column.name)}
                row={row ?? item.row}
                isLoading={row === null}
                onShowLocation={props.onShowLocation}
                onShowFiles={props.onShowFiles}
              />
            ))}
          </dl>
        )}
        <div className={classes["more"]}>
          {columns.length > few.length && (
            <button type="button" className={classes["moreButton"]} aria-expanded={showsAll} onClick={() => onShowAll(!showsAll)}>
              {showsAll ? "Fewer fields" : "All fields"}
              {showsAll ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
            </button>
          )}
          {columns.some(isMoment) && <TimeZoneToggle />}
        </div>
      </div>
      <div className={classes["foot"]}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconRoute size={16} aria-hidden />}
          disabled={!hasPath(item)}
          onClick={onTogglePath}
        >
          {path === undefined ? "Show path" : path.phase === "visible" ? "Hide path" : `Cancel loading ${path.percent}%`}
        </Button>
        <Button variant="default" size="xs" leftSection={<IconStack2 size={16} aria-hidden />} disabled={!hasPath(item)} onClick={onLayers}>
          Path layers
        </Button>
        {path?.points && <span className={classes["pathFacts"]}>{pathText(path.points)}</span>}
        {warning}
      </div>
    </section>
  );
}

interface FactProps extends Pick<Props, "onShowLocation" | "onShowFiles"> {
  column: Column;
  coarse: ShownForm | undefined;
  row: ResultRow;
  /** The value is not known yet. */
  isLoading: boolean;
}

/** One field; nothing for a missing value. */
function Fact({ column, coarse, row, isLoading, onShowLocation, onShowFiles }: FactProps) {
  const zone = useResultZone();
  const text = cellText(column, row, zone);
  if (text === null) return null;
  const point = coordinatesOf(column, row);
  const files = filesetPathOf(column, row);
  return (
    <div style={{ display: "contents" }}>
      <dt>
        <CoarseMark form={coarse} />
        <Breakable text={columnTitle(column)} />
      </dt>
      <dd className={readsAsCode(column) ? classes["code"] : undefined}>
        {isLoading ? (
          "…"
        ) : point ? (
          <button type="button" className={classes["link"]} onClick={() => onShowLocation(column.name, point)}>
            <IconMapPin size={14} aria-hidden /> {text}
          </button>
        ) : files ? (
          <button type="button" className={classes["link"]} onClick={() => onShowFiles(column.name, files)}>
            <IconFolderOpen size={14} aria-hidden /> {text}
          </button>
        ) : (
          text
        )}
        {!isLoading && column.unit !== undefined && <small> {column.unit}</small>}
      </dd>
    </div>
  );
}

function pathText({ count, skipped, isCut }: PathPoints): string {
  const positions = pluralize(count, "position");
  const skippedText = skipped > 0 ? `, ${formatCount(skipped)} without a position` : "";
  return `${positions}${skippedText}${isCut ? ". There are more than one response can contain." : ""}`;
}
