import type { FlowComment } from "@fairway/contract/flow-requests";
import { Link } from "@tanstack/react-router";
import { useFoundLines } from "./found-lines.ts";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";

/** The subject of a comment, with a link to it in the shown iteration, or in its own if it is outdated in the shown one. */
export function CommentSubject({ comment: { id, anchor } }: { comment: FlowComment }) {
  const { iterations, shown, searchOf } = useRequest();
  const found = useFoundLines();
  if (anchor === null) return null;
  const number = iterations.find((iteration) => iteration.id === anchor.iterationId)?.number;
  const own = number === undefined ? "" : `iteration ${number}`;
  if (anchor.kind === "component") {
    const component = { iteration: number ?? null, mode: "diff", view: "changes", component: anchor.componentId } as const;
    return (
      <p className={classes["subject"]}>
        <Link to="." search={searchOf(component)}>{`On ${anchor.name}, ${own}`}</Link>
      </p>
    );
  }
  const isOwn = number === shown.iteration;
  const line = isOwn ? anchor.line : found.get(id);
  const target =
    line === undefined || line === null ? { iteration: number ?? null, line: anchor.line } : { iteration: shown.iteration, line };
  return (
    <p className={classes["subject"]}>
      <Link to="." search={searchOf({ ...target, view: "text", component: null })}>
        {isOwn || line === undefined || line === null ? `Line ${anchor.line} of ${own}` : foundText(line, anchor.line, own)}
      </Link>
      {line === null && <span className={classes["outdated"]}>Outdated</span>}
    </p>
  );
}

const foundText = (line: number, ownLine: number, own: string): string =>
  line === ownLine ? `Line ${line}, from ${own}` : `Line ${line}, from line ${ownLine} of ${own}`;
