import { Button } from "@mantine/core";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { type EditorProblem, pathText } from "./editor-problems.ts";
import type { Path } from "./editor-schema.ts";
import classes from "./editor.module.css";

interface Props {
  problems: readonly EditorProblem[];
  /** Undefined while the text is not shown. */
  onGoTo: ((path: Path) => void) | undefined;
}

/** One problem of the edited entity at a time, and the way to the others. */
export function EditorProblems({ problems, onGoTo }: Props) {
  const [chosen, setChosen] = useState(0);
  const index = Math.min(chosen, problems.length - 1);
  const problem = problems[index];
  const step = (by: 1 | -1) => {
    const next = (index + by + problems.length) % problems.length;
    setChosen(next);
    onGoTo?.(problems[next]?.path ?? []);
  };
  return (
    <div className={classes["problems"]}>
      <div role="status">
        {problem && (
          <>
            <IconAlertCircle size={16} aria-hidden />
            <span>
              {problems.length > 1 && `Problem ${index + 1} of ${problems.length}: `}
              {problem.path.length > 0 && <code>{pathText(problem.path)} </code>}
              {problem.message}
            </span>
          </>
        )}
      </div>
      {problem && problems.length > 1 && (
        <>
          <IconButton label="Previous problem" onClick={() => step(-1)}>
            <IconChevronUp size={16} aria-hidden />
          </IconButton>
          <IconButton label="Next problem" onClick={() => step(1)}>
            <IconChevronDown size={16} aria-hidden />
          </IconButton>
        </>
      )}
      {problem && !problem.syntax && onGoTo && (
        <Button variant="subtle" size="xs" onClick={() => onGoTo(problem.path)}>
          Go to line
        </Button>
      )}
    </div>
  );
}
