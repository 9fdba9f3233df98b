import { pluralize } from "@fairway/contract/counts";
import { Button, Group, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { withCellAsArea, withoutCell } from "#parts/search-model/cell-filter.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";

interface Props {
  opened: boolean;
  record: SearchRecord;
  onClose: () => void;
  /** The dialog that keeps the search. */
  children: (opened: boolean, record: SearchRecord) => ReactNode;
}

/**
 * Asks what becomes of a chosen cell of the map before a search is kept, because what is kept has no cells: an area in its place, or
 * nothing. Without a cell, the dialog opens at once.
 */
export function AskAboutCell({ opened, record, onClose, children }: Props) {
  const { within } = record.filters;
  // The answer holds while the dialog is open, and while it fades out.
  const [answer, setAnswer] = useState<{ record: SearchRecord } | null>(null);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setAnswer(null);
  }
  if (within === undefined && answer === null) return children(opened, record);
  const chooses = (filters: SearchRecord["filters"]) => () => setAnswer({ record: { ...record, filters } });
  const { supportsGeospatial } = record.datasetDescription.filterSupport;
  const areas = record.filters.geospatial?.polygons.length ?? 0;
  return (
    <>
      {within !== undefined && (
        <Dialog opened={opened && answer === null} onClose={onClose} title="Keep the map cell?">
          <Text c="dimmed">
            {`The search shows the rows of a cell: ${within.text}. Searches are saved without cells. `}
            {supportsGeospatial ? "The cell can be saved as an area." : "This dataset takes no areas, in which it could be saved."}
          </Text>
          {supportsGeospatial && areas > 0 && (
            <Text c="dimmed" mt="sm">
              {`As an area it replaces the ${areas === 1 ? "area" : pluralize(areas, "area")} of the search, so that rows of the cell outside of ${areas === 1 ? "it" : "them"} are found too.`}
            </Text>
          )}
          <Group justify="flex-end" mt={24} gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button variant={supportsGeospatial ? "default" : "filled"} onClick={chooses(withoutCell(record.filters))}>
              Without the cell
            </Button>
            {supportsGeospatial && (
              <Button data-autofocus onClick={chooses(withCellAsArea(record.filters, within.box))}>
                As an area
              </Button>
            )}
          </Group>
        </Dialog>
      )}
      {answer !== null && children(opened, answer.record)}
    </>
  );
}
