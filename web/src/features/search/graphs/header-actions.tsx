import { Button } from "@mantine/core";
import { IconBookmark } from "#ui/icons/bookmark.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { IconSum } from "#ui/icons/sum.ts";
import classes from "./graphs.module.css";

const action = classes["action"] ?? "";

interface Props {
  onTemplates: () => void;
  /** Undefined where graphs need a column of numbers and there is none. */
  onNew: (() => void) | undefined;
  /** Undefined if the dataset cannot be summarized. */
  onSummarize: (() => void) | undefined;
}

/** Actions of the graphs view. */
export function GraphsHeader({ onTemplates, onNew, onSummarize }: Props) {
  return (
    <>
      <Button
        className={action}
        aria-label="Templates"
        variant="default"
        leftSection={<IconBookmark size={16} aria-hidden />}
        onClick={onTemplates}
      >
        Templates
      </Button>
      {onNew && (
        <Button
          className={action}
          aria-label="New graph"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={onNew}
        >
          New graph
        </Button>
      )}
      {onSummarize && (
        <Button className={action} aria-label="Summarize" leftSection={<IconSum size={16} aria-hidden />} onClick={onSummarize}>
          Summarize
        </Button>
      )}
    </>
  );
}
