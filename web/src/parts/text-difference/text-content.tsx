import { Stack } from "@mantine/core";
import { useMemo, useState } from "react";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { OptionsButton } from "./options-button.tsx";
import { TextView, type TextViewProps } from "./text-view.tsx";
import { useComparison } from "./use-comparison.ts";
import classes from "./text-difference.module.css";

export interface TextContentProps extends TextViewProps {
  text: string;
}

const keys = [
  { keys: ["↑", "↓", "Page", "Home", "End"], what: "Move between lines" },
  { keys: ["Ctrl F"], what: "Find" },
];

/** A text of up to 5,000,000 bytes. Fills its parent, which needs a height. */
export function TextContent({ text, ...view }: TextContentProps) {
  const [formatsJson, setFormatsJson] = useState(true);
  const request = useMemo(
    () => ({ before: null, after: text, ignoresSpace: false, ignoresPositions: false, formatsJson }),
    [text, formatsJson],
  );
  const { compared, isRunning, hasFailed, retry } = useComparison(request, 0);
  return (
    <Stack gap={0} flex={1} miw={0} mih={0} h="100%" aria-busy={isRunning}>
      {hasFailed ? (
        <ErrorState message="The text could not be shown." onRetry={retry} />
      ) : compared ? (
        <TextView
          {...view}
          compared={compared}
          layout="single"
          names={null}
          folds={false}
          options={
            <OptionsButton
              layout={null}
              choices={compared.isMinified ? [{ label: "Format JSON", isChecked: formatsJson, onChange: setFormatsJson }] : []}
              keys={keys}
            />
          }
          note={null}
        />
      ) : (
        <>
          <div className={classes["tools"]}>{view.tools}</div>
          <LoadingRows label="Loading text" rowHeight={20} />
        </>
      )}
    </Stack>
  );
}
