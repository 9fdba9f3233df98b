import { type Tool, toolName } from "@fairway/contract/tools";
import { Button } from "@mantine/core";
import { IconKey } from "#ui/icons/key.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { addressedTool, sortedTools } from "#lib/screens/downloadable-tools.ts";
import { usePortalSettings } from "#lib/gateway/portal-settings.ts";
import { toolsQuery } from "#parts/tool-guides/queries.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState } from "#ui/states.tsx";
import { KeyCalls } from "./key-calls-list.tsx";
import { ToolFiles } from "./tool-files.tsx";
import { ToolGuide } from "./tool-guide.tsx";
import classes from "./tools.module.css";

/** The tool that the address names, or the first one. */
export function ToolsPage() {
  const { name }: Record<string, unknown> = useSearch({ strict: false });
  const query = useQuery(toolsQuery);
  const tools = sortedTools(query.data ?? []);
  const tool = addressedTool(tools, name);
  if (tool) return <ToolScreen key={tool.name} tool={tool} />;
  return (
    <>
      <PageHeader title="Tools" />
      {query.data === undefined ? (
        <WithoutData query={query} loading={{ label: "Loading tools", rowHeight: 48 }} failed="Error loading tools." />
      ) : tools[0] === undefined ? (
        <EmptyState>This portal has no tools yet.</EmptyState>
      ) : (
        <EmptyState title={`There is no tool named ‘${String(name)}’`} action={<ToolLink tool={tools[0]} />}>
          See the menu for the portal's tools.
        </EmptyState>
      )}
    </>
  );
}

const ToolLink = ({ tool: { display } }: { tool: Tool }) => (
  <Button variant="default" renderRoot={(props) => <Link to="/tools" search={{ name: toolName(display) }} {...props} />}>
    Open {display}
  </Button>
);

function ToolScreen({ tool }: { tool: Tool }) {
  const { tools: metadata } = usePortalSettings();
  const hasNoKeys = useIsScreenDisabled("ApiKeys");
  const description = metadata.find(({ display }) => display === tool.display)?.description ?? tool.description;
  return (
    <>
      <PageHeader title={tool.display} subtitle={`Version ${tool.version}`}>
        {!hasNoKeys && (
          <Button variant="default" leftSection={<IconKey size={16} aria-hidden />} renderRoot={(props) => <Link to="/keys" {...props} />}>
            Create an API key
          </Button>
        )}
      </PageHeader>
      <div className={classes["page"]}>
        {description !== "" && <p className={classes["description"]}>{description}</p>}
        <ToolFiles files={tool.files} />
        <ToolGuide name={tool.name} />
        <KeyCalls />
      </div>
    </>
  );
}
