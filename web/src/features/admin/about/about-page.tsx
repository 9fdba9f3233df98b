import { platformMetadata } from "@fairway/contract/metadata";
import { useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { localTime } from "#lib/time/local-time.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { plainText } from "../entities/entity-kind.ts";
import classes from "./about-page.module.css";

const componentNames: Readonly<Record<string, string>> = {
  gateway: "Gateway",
  database: "Database",
  engine: "Query engine",
  catalog: "Catalog search",
  entities: "Entities",
};

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
      <QueryState query={query} loading={{ label: "Loading the metadata", rows: 10 }} failed="Failed to load app metadata">
        {(data) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard
          <div className={classes["page"]} tabIndex={0} role="region" aria-label="Metadata">
            <Component name="User interface" facts={{ version }} />
            {Object.entries(data).map(([name, facts]) => (
              <Component key={name} name={name} facts={facts} />
            ))}
          </div>
        )}
      </QueryState>
    </>
  );
}

function Component({ name, facts }: { name: string; facts: Record<string, unknown> }) {
  return (
    <section aria-label={name} className={classes["component"]}>
      <h2>{componentNames[name] ?? name}</h2>
      <dl>
        {Object.entries(facts).map(([fact, value]) => (
          <div key={fact}>
            <dt>{factName(name, fact)}</dt>
            <dd>{factText(fact, value) || "–"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** `startedAt` becomes `Started at`. Types of entities keep their names. */
function factName(component: string, fact: string): string {
  if (component === "entities") return fact;
  const words = fact.replace(/Mb$/, "").replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function factText(fact: string, value: unknown): string {
  if (fact.endsWith("At") && typeof value === "string") return localTime(Date.parse(value));
  const text = typeof value === "number" ? value.toLocaleString("en-US") : plainText(value);
  return fact.endsWith("Mb") ? `${text} MB` : text;
}
