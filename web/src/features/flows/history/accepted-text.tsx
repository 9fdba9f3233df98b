import type { FlowFormat, MainIteration } from "@fairway/contract/flow-requests";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { TextContent, TextDifference } from "#parts/text-difference/islands.tsx";
import { together, WithoutData } from "#ui/kit/query-state.tsx";
import { contentQuery } from "./history-queries.ts";
import classes from "./history.module.css";
import { iterationName } from "./iteration-name.ts";

interface Props {
  group: string;
  flowId: number;
  shown: MainIteration;
  base: MainIteration | undefined;
  /** First items of the toolbar. */
  tools: ReactNode;
}

/** The content of an accepted iteration, or how it differs from the base. */
export function AcceptedText({ group, flowId, shown, base, tools }: Props) {
  const content = useQuery(contentQuery(group, flowId, shown));
  const before = useQuery({ ...contentQuery(group, flowId, base ?? shown), enabled: base !== undefined });
  if (content.data === undefined || (base && before.data === undefined))
    return (
      <>
        <div className={classes["tools"]}>{tools}</div>
        <WithoutData
          query={base ? together(content, before) : content}
          loading={{ label: "Loading the content", rows: 12, rowHeight: 20 }}
          failed="Failed to Load Flow"
        />
      </>
    );
  const syntax = syntaxes[shown.iteration.format];
  if (!base) return <TextContent label={`Content of ${iterationName(shown)}`} text={content.data} syntax={syntax} tools={tools} />;
  return (
    <TextDifference
      label={`Differences of ${iterationName(base)} and ${iterationName(shown)}`}
      before={before.data ?? ""}
      after={content.data}
      names={[iterationName(base), iterationName(shown)]}
      syntax={syntax}
      tools={tools}
      canIgnorePositions
    />
  );
}

const syntaxes = { json: "json", xml: "xml", yaml: "yaml", unknown: "text" } as const satisfies Record<FlowFormat, string>;
