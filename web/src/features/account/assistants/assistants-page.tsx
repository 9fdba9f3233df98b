import { passesRole } from "@fairway/contract/access";
import { apiBase } from "@fairway/contract/api";
import { assistants } from "@fairway/contract/assistants";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/gateway/call.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { CodeBlock } from "#ui/code-block.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { AssistantUses } from "./assistants-uses.tsx";
import classes from "./assistants.module.css";

export const assistantsQuery = queryOptions({
  queryKey: ["assistants"],
  queryFn: ({ signal }) => call(assistants.about, {}, { signal }),
  staleTime: 0,
});

/** As most assistants take it. */
const configuration = (address: string): string =>
  JSON.stringify({ mcpServers: { fairway: { type: "http", url: address, headers: { Authorization: "Bearer YOUR_KEY" } } } }, null, 2);

/** How to connect an assistant, and for administrators how assistants are used. */
export function AssistantsPage() {
  const { roles } = useCurrentUser();
  const query = useQuery(assistantsQuery);
  const address = `${location.origin}${apiBase}${assistants.call.path}`;
  return (
    <>
      <PageHeader title="Assistants" subtitle="AI assistants that can read your data but not change it" isSubtitleLong />
      <QueryState query={query} loading={{ label: "Loading assistants", rows: 10 }} failed="Failed to load assistants">
        {(loaded) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
          <div className={classes["page"]} tabIndex={0} role="region" aria-label="Assistants">
            {!loaded.enabled && (
              <p role="note" className={classes["off"]}>
                An administrator has turned off assistants for this portal.
              </p>
            )}
            {passesRole(roles, "admin") && <AssistantUses />}
            <section aria-label="Connect an assistant">
              <h2>Connect an assistant</h2>
              <ol>
                <li>
                  <Link to="/keys">Create an API key</Link> with the datasets and filesets that the assistant may read. It can’t read
                  anything else.
                </li>
                <li>
                  Add this server to your assistant, and replace YOUR_KEY with the key. The server uses the Model Context Protocol
                  (streamable HTTP).
                </li>
              </ol>
              <CodeBlock isRegion label="Server configuration" text={configuration(address)} />
              <p>Then ask, for example: “Which datasets can you read, and what do they contain?”</p>
              <p className={classes["muted"]}>
                Data that the assistant reads is sent to the assistant’s provider. The audit log records each call under the key’s name.
                Deleting the key ends access immediately.
              </p>
            </section>
            <section aria-label="What assistants can do">
              <h2>What assistants can do</h2>
              <dl className={classes["tools"]}>
                {loaded.tools.map(({ name, title, description }) => (
                  <div key={name}>
                    <dt>
                      {title} <code>{name}</code>
                    </dt>
                    <dd>{description}</dd>
                  </div>
                ))}
              </dl>
            </section>
          </div>
        )}
      </QueryState>
    </>
  );
}
