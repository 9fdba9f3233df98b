import { Stack } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { useDeferredValue, useMemo, useState } from "react";
import { readLocal, writeLocal } from "#lib/browser/local-storage.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { OptionsButton } from "./options-button.tsx";
import { TextView, type TextViewProps } from "./text-view.tsx";
import { useComparison } from "./use-comparison.ts";
import classes from "./text-difference.module.css";

export interface TextDifferenceProps extends TextViewProps {
  before: string;
  after: string;
  /** Names of both sides, such as "Iteration 3" and "Iteration 4". */
  names: readonly [before: string, after: string];
  /** Offers to ignore where NiFi draws components and connections. */
  canIgnorePositions?: boolean;
}

const debounceMs = 500;
const minSplitPx = 720;
const layoutKey = "fairway.textDifferenceLayout";

const keys = [
  { keys: ["N", "Alt ↓"], what: "Next change" },
  { keys: ["P", "Alt ↑"], what: "Previous change" },
  { keys: ["↑", "↓", "Page", "Home", "End"], what: "Move between lines" },
  { keys: ["Ctrl F"], what: "Find" },
];

/**
 * The differences of two texts of up to 5,000,000 bytes each, by lines and words. They are computed in a worker, 500 ms after the
 * last change of the texts or options. Fills its parent, which needs a height.
 */
export function TextDifference({ before, after, names, canIgnorePositions = false, ...view }: TextDifferenceProps) {
  const [ignoresSpace, setIgnoresSpace] = useState(false);
  const [ignoresPositions, setIgnoresPositions] = useState(false);
  const [formatsJson, setFormatsJson] = useState(true);
  const [showsAll, setShowsAll] = useState(false);
  const [wantsSplit, setWantsSplit] = useState(() => readLocal(layoutKey) !== "unified");
  const { ref, width } = useElementSize();
  const request = useMemo(
    () => ({ before, after, ignoresSpace, ignoresPositions: ignoresPositions && canIgnorePositions, formatsJson }),
    [before, after, ignoresSpace, ignoresPositions, canIgnorePositions, formatsJson],
  );
  const { compared, isRunning, hasFailed, retry } = useComparison(request, debounceMs);
  const hasRoom = width >= minSplitPx;
  // Hundreds of thousands of rows are laid out anew in slices, after the option shows its new state.
  const folds = !useDeferredValue(showsAll);
  const layout = useDeferredValue(hasRoom && wantsSplit ? "split" : "unified");
  const ignored = [...(ignoresSpace ? ["white space"] : []), ...(request.ignoresPositions ? ["moved positions"] : [])];
  const options = (
    <OptionsButton
      layout={
        hasRoom
          ? {
              isSplit: wantsSplit,
              onChange: (isSplit) => {
                setWantsSplit(isSplit);
                writeLocal(layoutKey, isSplit ? "split" : "unified");
              },
            }
          : null
      }
      choices={[
        { label: "Ignore white space", isChecked: ignoresSpace, onChange: setIgnoresSpace },
        ...(canIgnorePositions ? [{ label: "Ignore moved positions", isChecked: ignoresPositions, onChange: setIgnoresPositions }] : []),
        ...(compared?.isMinified ? [{ label: "Format JSON", isChecked: formatsJson, onChange: setFormatsJson }] : []),
        { label: "Show all unchanged lines", isChecked: showsAll, onChange: setShowsAll },
      ]}
      keys={keys}
    />
  );
  return (
    <Stack ref={ref} gap={0} flex={1} miw={0} mih={0} h="100%" aria-busy={isRunning}>
      {hasFailed ? (
        <ErrorState message="The texts could not be compared." onRetry={retry} />
      ) : compared ? (
        <TextView
          {...view}
          compared={compared}
          layout={layout}
          names={names}
          folds={folds}
          options={options}
          note={
            ignored.length > 0 && (
              <p className={classes["note"]} role="note">
                {`Differences in ${ignored.join(" and ")} are ignored.`}
              </p>
            )
          }
        />
      ) : (
        <>
          <div className={classes["tools"]}>{view.tools}</div>
          <LoadingRows label="Comparing" rowHeight={20} />
        </>
      )}
    </Stack>
  );
}
