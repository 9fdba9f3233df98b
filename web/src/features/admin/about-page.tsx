import { platformMetadata } from "@fairway/contract/metadata";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { plainText } from "./entity-kind.ts";
import classes from "./about-page.module.css";

const version = import.meta.env.FAIRWAY_VERSION;

/** The versions of the web app and of each component of the platform. */
export function AboutPage() {
  const query = useQuery({
    queryKey: ["admin", "metadata"],
    queryFn: ({ signal }) => call(platformMetadata.read, {}, { signal }),
    staleTime: 0,
  });
  const release = query.data?.["gateway"]?.["release"];
  return (
    <>
      <PageHeader
        title="About"
        subtitle={
          <>
            <span>{`UI version ${version}`}</span>
            {release !== undefined && <span>{`, release ${plainText(release)}`}</span>}
          </>
        }
      />
      {query.isPending ? (
        <LoadingRows label="Loading the metadata" rows={10} />
      ) : query.data === undefined ? (
        <ErrorState message="Failed to load app metadata" details={messagesOf(query.error)} onRetry={() => void query.refetch()} />
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
        <div className={classes["page"]} tabIndex={0} role="region" aria-label="Metadata">
          <Component name="User interface" facts={{ version }} />
          {Object.entries(query.data).map(([name, facts]) => (
            <Component key={name} name={name} facts={facts} />
          ))}
        </div>
      )}
    </>
  );
}

function Component({ name, facts }: { name: string; facts: Record<string, unknown> }) {
  return (
    <section aria-label={name} className={classes["component"]}>
      <h2>{name}</h2>
      <dl>
        {Object.entries(facts).map(([fact, value]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{plainText(value) || "–"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
