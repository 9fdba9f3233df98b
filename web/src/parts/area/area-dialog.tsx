import { plural } from "@fairway/contract/counts";
import { splitAtAntimeridian } from "@fairway/contract/antimeridian";
import { ringText } from "@fairway/contract/areas";
import type { DatasetRef } from "@fairway/contract/datasets";
import { ActionIcon, Button, FileButton, Flex, SegmentedControl, Textarea } from "@mantine/core";
import { IconCircle } from "#ui/icons/circle.ts";
import { IconHandMove } from "#ui/icons/hand-move.ts";
import { IconPolygon } from "#ui/icons/polygon.ts";
import { IconRectangle } from "#ui/icons/rectangle.ts";
import { IconTrash } from "#ui/icons/trash.ts";
import { IconUpload } from "#ui/icons/upload.ts";
import { useId, useRef, useState } from "react";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import type { GeospatialFilter } from "#parts/search-model/search-record.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { sameContent, useUnsavedChanges } from "#ui/dialog/unsaved-changes.tsx";
import { Hint } from "#ui/hint.tsx";
import type { DrawingTool, DrawnShape } from "./area-drawing.ts";
import { areaFilter, pointText } from "#parts/search-model/area-filter.ts";
import { parseShapes } from "./area-input.ts";
import { loadExtent } from "./data-extent.ts";
import { MapLoading } from "./map-loading.tsx";
import { useAreaDrawing } from "./use-area-drawing.ts";
import classes from "./area.module.css";

export interface AreaDialogProps {
  opened: boolean;
  value: GeospatialFilter | null;
  /** The map starts where their data is if there is no area. */
  datasets?: readonly DatasetRef[];
  /** Shows the area. With `onDone`, it can be changed after a press on "Change area". */
  readOnly?: boolean;
  onClose: () => void;
  /** Null: anywhere. */
  onDone?: (area: GeospatialFilter | null) => void;
}

/** 'Select Area': shapes drawn on a map of the world, typed, pasted or loaded. */
export function AreaDialog({ opened, readOnly = false, onClose, ...rest }: AreaDialogProps) {
  // While drawing, Escape discards the shape instead of closing the dialog.
  const [isDrawing, setIsDrawing] = useState(false);
  const [isChanging, setIsChanging] = useState(false);
  if (!opened && isChanging) setIsChanging(false);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      closeOnEscape={!isDrawing}
      title={readOnly ? "Area" : "Select Area"}
      size={960}
      padding={0}
      fillsPhone
      classNames={{ header: classes["header"] ?? "", content: classes["content"] ?? "", body: classes["dialog"] ?? "" }}
    >
      <AreaForm
        key={isChanging ? "changing" : "shown"}
        readOnly={readOnly && !isChanging}
        doneLabel={readOnly ? "Search again with this area" : "Done"}
        onChangeArea={() => setIsChanging(true)}
        onClose={onClose}
        onDrawing={setIsDrawing}
        {...rest}
      />
    </Dialog>
  );
}

const tools = [
  { value: "polygon", name: "Polygon", icon: IconPolygon },
  { value: "rectangle", name: "Rectangle", icon: IconRectangle },
  { value: "circle", name: "Circle", icon: IconCircle },
  { value: "select", name: "Edit", icon: IconHandMove },
] as const;

const help: Record<DrawingTool, string> = {
  polygon: "Click the corners; click the first one again, or press Enter, to close the shape.",
  rectangle: "Click one corner, then the opposite corner.",
  circle: "Click the middle, then the edge.",
  select: "Click a shape, then drag it or its corners.",
};

/** Mounted on each opening, so it starts with the current area. */
function AreaForm({
  value,
  datasets,
  readOnly,
  doneLabel,
  onChangeArea,
  onDrawing,
  onDone,
  onClose,
}: Omit<AreaDialogProps, "opened" | "readOnly"> & {
  readOnly: boolean;
  doneLabel: string;
  onChangeArea: () => void;
  onDrawing: (isDrawing: boolean) => void;
}) {
  const { polygonVertices } = useLimits();
  const [tool, setTool] = useState<DrawingTool>("polygon");
  const [isCrossing, setIsCrossing] = useState(false);
  const container = useRef<HTMLDivElement>(null);
  const listener = { onCrossing: setIsCrossing, onDrawing };
  const initialTool = readOnly ? "static" : "polygon";
  const drawn = useAreaDrawing(
    container,
    () => initialShapes(value),
    initialTool,
    listener,
    () => loadExtent(datasets ?? []),
  );
  const { shapes, drawing, failed } = drawn;
  useUnsavedChanges(!readOnly && !sameContent(ringsOf(shapes), ringsOf(initialShapes(value))));
  const cornerCount = shapes.reduce((sum, { ring }) => sum + ring.length, 0);
  const tooMany = cornerCount > polygonVertices ? `An area can have ${polygonVertices} corners; these shapes have ${cornerCount}.` : null;

  const choose = (next: DrawingTool) => {
    setTool(next);
    drawing?.use(next);
  };
  const add = (added: readonly DrawnShape["ring"][]) => drawn.add(added.flatMap(splitAtAntimeridian));
  const done = () => {
    if (tooMany !== null) return;
    onDone?.(areaFilter(shapes.flatMap(({ ring }) => splitAtAntimeridian(ring))));
    onClose();
  };
  return (
    <div className={classes["form"]}>
      <div className={classes["columns"]}>
        <div className={classes["mapSide"]}>
          {!readOnly && (
            <Flex rowGap="sm" columnGap="md" align="center" wrap="wrap" py="sm" px="md">
              <SegmentedControl
                aria-label="Drawing tool"
                size="xs"
                value={tool}
                onChange={(next) => choose(next)}
                disabled={drawing === null}
                data={tools.map(({ value: name, name: label, icon: Icon }) => ({
                  value: name,
                  label: (
                    <Flex component="span" gap="xs" align="center">
                      <Icon size={16} aria-hidden />
                      {label}
                    </Flex>
                  ),
                }))}
              />
              <p className={classes["help"]}>{help[tool]}</p>
            </Flex>
          )}
          <div
            ref={container}
            className={classes["map"]}
            role="application"
            aria-label="Map of the world"
            data-ready={drawing !== null || undefined}
          >
            {failed && <p className={classes["failed"]}>The map cannot be shown in this browser. Type the corners instead.</p>}
            {!failed && drawing === null && <MapLoading />}
          </div>
          {!readOnly && (
            <p className={classes["problem"]} role="status">
              {isCrossing ? "The shape crosses itself, so it can't be closed here." : (tooMany ?? "")}
            </p>
          )}
        </div>
        <ShapeList shapes={shapes} readOnly={readOnly} onRemove={drawn.remove} onAdd={add} />
      </div>
      <footer className={classes["footer"]}>
        {readOnly ? (
          <>
            {onDone && (
              <Button variant="default" onClick={onChangeArea}>
                Change area
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </>
        ) : (
          <>
            <span className={classes["count"]}>
              {shapes.length === 0 ? "No shape yet: anywhere" : `${ungrouped(shapes.length, "shape")}, ${ungrouped(cornerCount, "corner")}`}
            </span>
            <Button variant="default" disabled={shapes.length === 0} onClick={() => shapes.forEach(({ id }) => drawn.remove(id))}>
              Clear
            </Button>
            <Button disabled={tooMany !== null} onClick={done}>
              {doneLabel}
            </Button>
          </>
        )}
      </footer>
    </div>
  );
}

const ringsOf = (shapes: readonly DrawnShape[]): string[] => shapes.map(({ ring }) => ringText(ring));

const ungrouped = (count: number, noun: string): string => `${count} ${plural(count, noun)}`;

interface ShapeListProps {
  shapes: readonly DrawnShape[];
  readOnly: boolean;
  onAdd: (rings: readonly DrawnShape["ring"][]) => void;
  onRemove: (id: string) => void;
}

/** The shapes as a list, and a way to add some without a pointer. */
function ShapeList({ shapes, readOnly, onAdd, onRemove }: ShapeListProps) {
  const [text, setText] = useState("");
  useUnsavedChanges(text.trim() !== "");
  const [problem, setProblem] = useState<string | null>(null);
  const titleId = useId();
  const addText = (input: string) => {
    const result = parseShapes(input);
    if ("problem" in result) {
      setProblem(result.problem);
      setText(input);
      return;
    }
    onAdd(result.rings);
    setText("");
    setProblem(null);
  };
  return (
    <section aria-labelledby={titleId} className={classes["side"]}>
      <h3 id={titleId}>Shapes</h3>
      {shapes.length === 0 && <p className={classes["empty"]}>None yet.</p>}
      <ul>
        {shapes.map(({ id, ring }, index) => (
          <li key={id}>
            <span title={ringText(ring)}>
              {`${index + 1}. ${ungrouped(ring.length, "corner")}`}
              <small>{centerText(ring)}</small>
            </span>
            {!readOnly && (
              <>
                <Button
                  variant="subtle"
                  size="compact-xs"
                  aria-label={`Edit the coordinates of shape ${index + 1}`}
                  onClick={() => {
                    setText(ringText(ring));
                    onRemove(id);
                  }}
                >
                  Edit
                </Button>
                <Hint label={`Delete shape ${index + 1}`}>
                  <ActionIcon variant="subtle" color="gray" size={28} aria-label={`Delete shape ${index + 1}`} onClick={() => onRemove(id)}>
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </Hint>
              </>
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <>
          <Textarea
            label="Coordinates"
            description="Longitude and latitude of each corner, one shape a line; or GeoJSON or KML. To cross the antimeridian, continue past 180°."
            placeholder="-98 18, -80 18, -80 31, -98 31"
            rows={4}
            value={text}
            error={problem}
            spellCheck={false}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem(null);
            }}
          />
          <Flex gap="sm">
            <Button variant="default" onClick={() => addText(text)}>
              Add shape
            </Button>
            <FileButton
              accept=".geojson,.json,.kml,application/geo+json,application/vnd.google-earth.kml+xml"
              onChange={(file) => void file?.text().then(addText)}
            >
              {(props) => (
                <Button {...props} variant="subtle" leftSection={<IconUpload size={16} aria-hidden />}>
                  Load file
                </Button>
              )}
            </FileButton>
          </Flex>
        </>
      )}
    </section>
  );
}

const initialShapes = (value: GeospatialFilter | null): DrawnShape[] =>
  (value?.polygons ?? []).map(({ id, points }) => ({ id, ring: points }));

function centerText(ring: DrawnShape["ring"]): string {
  const midpoint = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  return `around ${pointText(midpoint(ring.map(({ lat }) => lat)), midpoint(ring.map(({ lng }) => lng)))}`;
}
