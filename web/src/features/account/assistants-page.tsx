import { passesRole } from "@fairway/contract/access";
import { apiBase } from "@fairway/contract/api";
import { assistants } from "@fairway/contract/assistants";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { CodeBlock } from "#ui/code-block.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import classes from "./assistants.module.css";

const AssistantUses = lazyPart(async () => ({ default: (await import("./assistants-uses.tsx")).AssistantUses }));

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
      <PageHeader title="Assistants" subtitle="AI assistants that search your data and change nothing" isSubtitleLong />
      {query.isPending ? (
        <LoadingRows label="Loading assistants" rows={10} />
      ) : query.data === undefined ? (
        <ErrorState message="Failed to load assistants" details={messagesOf(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
        <div className={classes["page"]} tabIndex={0} role="region" aria-label="Assistants">
          {!query.data.enabled && (
            <p role="note" className={classes["off"]}>
              An administrator does not allow assistants to use this portal.
            </p>
          )}
          {passesRole(roles, "admin") && <AssistantUses />}
          <section aria-label="Connect an assistant">
            <h2>Connect an assistant</h2>
            <ol>
              <li>
                <Link to="/keys">Create an API key</Link> that opens the datasets and filesets the assistant may read. It never reads more.
              </li>
              <li>
                Add this server to your assistant, with the key in place of YOUR_KEY. It speaks the Model Context Protocol (streamable
                HTTP).
              </li>
            </ol>
            <CodeBlock isRegion label="Server configuration" text={configuration(address)} />
            <p>Then ask, for example: “Which datasets can you read, and what do they hold?”</p>
            <p className={classes["muted"]}>
              What the assistant reads leaves the portal for the assistant’s provider. Each of its calls is in the audit log under the key’s
              name, and deleting the key ends its access at once.
            </p>
          </section>
          <section aria-label="What assistants can do">
            <h2>What assistants can do</h2>
            <dl className={classes["tools"]}>
              {query.data.tools.map(({ name, title, description }) => (
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
    </>
  );
}
