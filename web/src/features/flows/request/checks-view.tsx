import type { FlowComponentRef } from "@fairway/contract/flow-differences";
import type { FlowIteration } from "@fairway/contract/flow-requests";
import { useCallback } from "react";
import { FlowChecksList } from "../changes/flow-checks.tsx";
import { componentLine } from "./component-line.ts";
import { useRequest } from "./request-context.ts";
import classes from "./request.module.css";
import { useShownContent } from "./use-shown-content.ts";
import { ViewTools } from "./view-tools.tsx";

/** Findings of the portal in an iteration, for its author before the review and for every reviewer. */
export function ChecksView({ iteration }: { iteration: FlowIteration }) {
  const { ids, show } = useRequest();
  const { content } = useShownContent();
  const showComponent = useCallback(
    (component: FlowComponentRef) => show({ view: "text", line: content === undefined ? null : componentLine(content, component) }),
    [show, content],
  );
  return (
    <>
      <div className={classes["tools"]}>
        <ViewTools content={content} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys */}
      <div className={classes["findings"]} role="region" aria-label={`Checks of iteration ${iteration.number}`} tabIndex={0}>
        <FlowChecksList group={ids.group} flowId={ids.flowId} iterationId={iteration.id} onComponent={showComponent} />
      </div>
    </>
  );
}
