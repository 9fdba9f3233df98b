import { formatCount, pluralize } from "@fairway/contract/counts";
import { isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { Button } from "@mantine/core";
import { IconFolderOpen, IconMapPin, IconRoute, IconStack2, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { cellText, coordinatesOf, type FilesetPath, filesetPathOf, readsAsCode } from "#lib/cell-text.ts";
import { useResultZone } from "#lib/result-zone.ts";
import { hasPath, type PathPoints } from "#features/search/map/model/path-model.ts";
import type { MapItem } from "#features/search/map/model/map-items.ts";
import type { PathState } from "#features/search/map/model/path-sessions.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import classes from "./map-view.module.css";

interface Props {
  item: MapItem;
  description: DatasetDescription;
  path: PathState | undefined;
  /** A warning about the path, if shown here. */
  warning: ReactNode;
  onClose: () => void;
  onTogglePath: () => void;
  onLayers: () => void;
  /** Opens the location dialog of a COORDINATES column. */
  onShowPlace: (title: string, place: { lat: number; lng: number }) => void;
  /** Opens the file browser of a FILESET column. */
  onShowFiles: (title: string, place: FilesetPath) => void;
}

/** The selected item: its last row, its path, and access to its layers. */
export function ItemDetails({ item, description, path, warning, onClose, onTogglePath, onLayers, onShowPlace, onShowFiles }: Props) {
  const zone = useResultZone();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the card
    <section
      className={`${classes["card"]} ${classes["details"]}`}
      aria-label={`Details of ${item.name}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className={classes["head"]}>
        <h2>{item.name}</h2>
        <IconButton label="Close details" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <div className={classes["body"]} tabIndex={0} role="region" aria-label="Fields of the item">
        <dl className={classes["facts"]}>
          {description.schema.columns.map((column) => {
            const text = cellText(column, item.row, zone);
            const place = coordinatesOf(column, item.row);
            const files = filesetPathOf(column, item.row);
            return (
              text !== null && (
                <div key={column.name} style={{ display: "contents" }}>
                  <dt>{column.name}</dt>
                  <dd className={readsAsCode(column) ? classes["code"] : undefined}>
                    {place ? (
                      <button type="button" className={classes["link"]} onClick={() => onShowPlace(column.name, place)}>
                        <IconMapPin size={14} aria-hidden /> {text}
                      </button>
                    ) : files ? (
                      <button type="button" className={classes["link"]} onClick={() => onShowFiles(column.name, files)}>
                        <IconFolderOpen size={14} aria-hidden /> {text}
                      </button>
                    ) : (
                      text
                    )}
                    {column.unit !== undefined && <small> {column.unit}</small>}
                  </dd>
                </div>
              )
            );
          })}
        </dl>
        {description.schema.columns.some(({ type }) => isTimestamp(type)) && <TimeZoneToggle />}
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

function pathText({ count, skipped, isCut }: PathPoints): string {
  const positions = pluralize(count, "position");
  const skippedText = skipped > 0 ? `, ${formatCount(skipped)} without a place` : "";
  return `${positions}${skippedText}${isCut ? ". There are more than one answer holds." : ""}`;
}
