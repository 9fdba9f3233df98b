import { formatList, pluralize } from "@fairway/contract/counts";
import type { FlowChecks, FlowComponentKind, FlowComponentRef } from "@fairway/contract/flow-differences";
import { Flex, NativeSelect, Text } from "@mantine/core";
import { IconAlertCircle } from "#ui/icons/alert-circle.ts";
import { IconAlertTriangle } from "#ui/icons/alert-triangle.ts";
import { IconCircleCheck } from "#ui/icons/circle-check.ts";
import { IconCircleDashed } from "#ui/icons/circle-dashed.ts";
import { IconInfoCircle } from "#ui/icons/info-circle.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agoText } from "#lib/time/ago-text.ts";
import { utcText } from "@fairway/contract/utc-texts";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { QueryState } from "#ui/kit/query-state.tsx";
import { checkEnvironmentsQuery, checksQuery } from "./queries.ts";
import classes from "./changes.module.css";

type Check = FlowChecks["checks"][number];

const severities: Record<Check["severity"], { readonly icon: IconComponent; readonly label: string }> = {
  error: { icon: IconAlertCircle, label: "Error" },
  warning: { icon: IconAlertTriangle, label: "Warning" },
  info: { icon: IconInfoCircle, label: "Note" },
  "not-checked": { icon: IconCircleDashed, label: "Not checked" },
  passed: { icon: IconCircleCheck, label: "Passed" },
};

/** Contents name them without an id, by which they could be shown. */
const withoutOwnId: ReadonlySet<FlowComponentKind> = new Set(["flow", "parameter-context", "parameter", "parameter-provider"]);

interface Props {
  group: string;
  flowId: number;
  iterationId: number;
  /** Shows the component that a finding is about. */
  onComponent?: ((component: FlowComponentRef) => void) | undefined;
}

/** The checks of an iteration, by themselves or against an environment. They never block anything. */
export function FlowChecksList({ group, flowId, iterationId, onComponent }: Props) {
  const [environmentId, setEnvironmentId] = useState<string | null>(null);
  const environments = useQuery(checkEnvironmentsQuery(group));
  const query = useQuery({ ...checksQuery(group, flowId, iterationId, environmentId), placeholderData: keepPreviousData });
  const { data, isPlaceholderData } = query;
  const environment = environments.data?.find(({ id }) => id === environmentId);
  return (
    <section className={classes["checks"]} aria-label="Checks" aria-busy={isPlaceholderData || undefined}>
      <Flex gap="sm" align="flex-end" justify="space-between" wrap="wrap">
        {data && (
          <Text fw="var(--weight-label)" role="status">
            {summaryOf(data)}
          </Text>
        )}
        <NativeSelect
          label="Check against"
          size="xs"
          className={classes["environment"]}
          value={environmentId ?? ""}
          error={environments.isError ? "The environments could not be loaded." : undefined}
          data={[
            { value: "", label: "No environment" },
            ...(environments.data ?? []).map(({ id, displayName }) => ({ value: id, label: displayName })),
          ]}
          onChange={(event) => setEnvironmentId(event.currentTarget.value || null)}
        />
      </Flex>
      {environment && data && !isPlaceholderData && (
        <Text c="dimmed" fz="xs">
          {data.seenMs === null
            ? `There's no information about ${environment.displayName} yet. An administrator must deploy to it first.`
            : `Checked against ${environment.displayName} as it was ${agoText(data.seenMs)} (${utcText(data.seenMs) ?? ""} UTC).`}
        </Text>
      )}
      <QueryState
        query={query}
        loading={{ label: "Checking the flow", rows: 3 }}
        failed="Failed to check the flow"
        canRetry={canSucceedLater}
      >
        {({ checks }) => <Findings checks={checks} onComponent={onComponent} />}
      </QueryState>
    </section>
  );
}

function summaryOf({ counts: { error, warning, info } }: FlowChecks): string {
  const parts = [
    ...(error > 0 ? [pluralize(error, "error")] : []),
    ...(warning > 0 ? [pluralize(warning, "warning")] : []),
    ...(info > 0 ? [pluralize(info, "note")] : []),
  ];
  return parts.length === 0 ? "No findings" : formatList(parts);
}

function Findings({ checks, onComponent }: { checks: readonly Check[]; onComponent: Props["onComponent"] }) {
  const [showsPassed, setShowsPassed] = useState(false);
  const passed = checks.filter(({ severity }) => severity === "passed");
  const found = checks.filter(({ severity }) => severity !== "passed");
  const shown = showsPassed ? [...found, ...passed] : found;
  return (
    <>
      <ul className={classes["list"]}>
        {shown.map((check) => (
          <Finding key={`${check.check} ${check.component?.id ?? ""} ${check.sentence}`} check={check} onComponent={onComponent} />
        ))}
      </ul>
      {passed.length > 0 && (
        <button type="button" className={classes["more"]} aria-expanded={showsPassed} onClick={() => setShowsPassed(!showsPassed)}>
          {showsPassed ? "Hide" : "Show"} {pluralize(passed.length, "passed check")}
        </button>
      )}
    </>
  );
}

function Finding({ check: { severity, sentence, component }, onComponent }: { check: Check; onComponent: Props["onComponent"] }) {
  const { icon: Icon, label } = severities[severity];
  return (
    <li className={classes["finding"]} data-severity={severity}>
      <span className={classes["severity"]}>
        <Icon size={16} stroke={1.75} aria-hidden />
        {label}
      </span>
      <p>
        {sentence}
        {component && onComponent && !withoutOwnId.has(component.kind) && (
          <>
            {" "}
            <button type="button" className={classes["more"]} onClick={() => onComponent(component)}>
              Show {component.name || "it"}
            </button>
          </>
        )}
      </p>
    </li>
  );
}
