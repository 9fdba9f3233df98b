import type { MainIteration } from "@fairway/contract/flows";
import { useQuery } from "@tanstack/react-query";
import { messagesOf } from "#lib/gateway-error.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { contentQuery } from "./history-queries.ts";
import { iterationName } from "./iteration-name.ts";
import classes from "./history.module.css";

const TextDiff = lazyPart(async () => ({ default: (await import("#ui/diff/text-diff.tsx")).TextDiff }));

interface Props {
  group: string;
  flowId: number;
  shown: MainIteration;
  base: MainIteration | undefined;
}

/** The content of an accepted iteration, or how it differs from the base. */
export function AcceptedText({ group, flowId, shown, base }: Props) {
  const content = useQuery(contentQuery(group, flowId, shown));
  const before = useQuery({ ...contentQuery(group, flowId, base ?? shown), enabled: base !== undefined });
  const queries = base ? [content, before] : [content];
  const failed = queries.find(({ data, error, isFetching }) => data === undefined && error !== null && !isFetching);
  if (failed) {
    return (
      <ErrorState
        message="Failed to Load Flow"
        details={messagesOf(failed.error)}
        onRetry={() => queries.forEach(({ data, refetch }) => data === undefined && void refetch())}
      />
    );
  }
  if (content.data === undefined || (base && before.data === undefined))
    return <LoadingRows label="Loading the content" rows={12} rowHeight={20} />;
  if (!base)
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard
      <pre className={classes["text"]} role="region" aria-label={`Content of ${iterationName(shown)}`} tabIndex={0}>
        {content.data}
      </pre>
    );
  return (
    <div className={classes["text"]}>
      <TextDiff
        label={`Differences of ${iterationName(base)} and ${iterationName(shown)}`}
        before={before.data ?? ""}
        after={content.data}
        names={[iterationName(base), iterationName(shown)]}
      />
    </div>
  );
}
