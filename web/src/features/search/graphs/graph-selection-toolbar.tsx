import { Button } from "@mantine/core";
import { IconX } from "#ui/icons/x.ts";
import type { Group } from "@fairway/contract/charts/graph";
import { IconButton } from "#ui/icon-button.tsx";
import classes from "./graphs.module.css";

interface Props {
  groups: readonly Group[];
  onZoom: () => void;
  onSearch: (groups: readonly Group[]) => void;
  onClose: () => void;
}

/** The actions for the selected groups. */
export function GraphSelectionToolbar({ groups, onZoom, onSearch, onClose }: Props) {
  const [first, last] = [groups[0], groups.at(-1)];
  return (
    <div className={classes["selectionToolbar"]} role="group" aria-label="Selected groups">
      <span role="status">{first === last ? first?.label : `${first?.label} – ${last?.label}`}</span>
      <Button variant="default" onClick={onZoom}>
        Zoom in
      </Button>
      {first?.time && (
        <Button variant="default" onClick={() => onSearch(groups)}>
          Search this range
        </Button>
      )}
      <IconButton label="Clear selection" onClick={onClose}>
        <IconX size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
