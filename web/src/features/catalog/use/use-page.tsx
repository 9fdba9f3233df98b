import { type DatasetDescription, type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import { toolName } from "@fairway/contract/tools";
import { Button } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { profileQuery } from "#parts/dataset-profile/queries.ts";
import { toolsQuery } from "#parts/tool-guides/queries.ts";
import { CodeBlock } from "#ui/code-block.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { exampleSearch } from "../schema/call-examples.ts";
import { type Program, keyPlaceholder, programs, snippetsOf } from "./programs.ts";
import classes from "./use-page.module.css";

/** Code that reads a dataset in other programs. */
export function UsePage() {
  const { datasetCategory = "", datasetId = "" }: { datasetCategory?: string; datasetId?: string } = useParams({ strict: false });
  const dataset = { datasetCategory, datasetId };
  const query = useQuery(describeQuery(datasetCategory, datasetId));
  return (
    <>
      <PageHeader
        title={`Use ${datasetId} elsewhere`}
        isSubtitleLong
        subtitle={
          <>
            <Link to="/data-catalog" className={classes["trail"]}>
              Data Catalog
            </Link>
            {`, ${datasetCategory}, `}
            <Link to="/data-catalog/$datasetCategory/$datasetId" params={dataset} className={classes["trail"]}>
              Schema
            </Link>
          </>
        }
      >
        <Button
          leftSection={<IconSearch size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/search" search={{ category: datasetCategory, dataset: datasetId }} {...props} />}
        >
          Search
        </Button>
      </PageHeader>
      <QueryState
        query={query}
        loading={{ label: "Loading the examples", rows: 6 }}
        failed="Error loading the dataset."
        canRetry={canSucceedLater}
      >
        {(loaded) => <Programs key={datasetKey(dataset)} dataset={dataset} description={loaded} />}
      </QueryState>
    </>
  );
}

const isProgram = (name: unknown): name is Program => typeof name === "string" && Object.hasOwn(programs, name);

function Programs({ dataset, description }: { dataset: DatasetRef; description: DatasetDescription }) {
  const { with: wanted }: Record<string, unknown> = useSearch({ strict: false });
  const program = isProgram(wanted) ? wanted : "curl";
  const { pagingMaxRows } = useLimits();
  const { data: state, isPending } = useQuery(profileQuery(dataset.datasetCategory, dataset.datasetId));
  const known = { description, profile: state?.profile ?? undefined };
  const snippets = snippetsOf(program, { ...known, dataset, origin: location.origin, pageRows: pagingMaxRows });
  const { placeholders } = exampleSearch(known, "some");
  return (
    <div className={classes["page"]}>
      <nav className={classes["programs"]} aria-label="Programs">
        {Object.entries(programs).map(([name, label]) => (
          <Link
            key={name}
            to="/data-catalog/$datasetCategory/$datasetId/use"
            params={dataset}
            search={{ with: name }}
            replace
            aria-current={name === program ? "page" : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={classes["content"]}>
        <Needs program={program} />
        {/* Values of its profile are part of the code, which must not change while it is being read. */}
        {isPending && <LoadingRows label="Loading the examples" rows={6} />}
        {(isPending ? [] : snippets).map(({ title, code }) => (
          <section key={title}>
            <h2>{title}</h2>
            <CodeBlock label={`${programs[program]}: ${title}`} text={code} />
          </section>
        ))}
        {snippets.length === 0 && (
          <p>
            {`${programs[program]} needs a file with all rows, but this dataset can't be exported in full. Use `}
            <Link to="." search={{ with: "curl" }}>
              cURL
            </Link>
            {" to get the rows of one response."}
          </p>
        )}
        {!isPending && snippets.length > 0 && placeholders.length > 0 && (
          <p>{`Replace the example ${placeholders.length === 1 ? "value" : "values"} of ${placeholders.join(", ")}.`}</p>
        )}
      </div>
    </div>
  );
}

/** The clients that some programs need, by their names in addresses. */
const clients: Partial<Record<Program, string>> = { pandas: "pythonclient", polars: "pythonclient", typescript: "typescriptclient" };

const packages: Record<Program, string | null> = {
  curl: null,
  pandas: "pip install pandas pyarrow",
  polars: "pip install polars",
  typescript: "npm install apache-arrow",
  duckdb: null,
  r: 'install.packages(c("httr2", "jsonlite"))',
  excel: null,
};

/** The packages to install, and where the key comes from. */
function Needs({ program }: { program: Program }) {
  const hasKeys = !useIsScreenDisabled("ApiKeys");
  return (
    <>
      {program === "excel" && (
        <ol>
          <li>In Excel, choose Data → Get Data → From Other Sources → Blank Query, then open the Advanced Editor.</li>
          <li>{`Paste the query and replace ${keyPlaceholder} with your API key.`}</li>
          <li>Choose Anonymous when Excel asks how to connect. The query contains the key, so anyone who gets the workbook can read it.</li>
        </ol>
      )}
      {program === "duckdb" && <p>A shell script that uses curl and the DuckDB command line.</p>}
      {packages[program] !== null && (
        <p>
          {"Needs "}
          <code>{packages[program]}</code>
          {clients[program] === undefined ? "." : " and "}
          <Client name={clients[program]} />
        </p>
      )}
      <p>
        {program === "excel" ? (
          "The key must be able to read this dataset. "
        ) : (
          <>
            {"Set an API key that can read this dataset: "}
            <code>export FAIRWAY_API_KEY=fwk_...</code>{" "}
          </>
        )}
        {hasKeys && <Link to="/keys">Create an API key</Link>}
      </p>
    </>
  );
}

function Client({ name }: { name: string | undefined }) {
  const { data: tools, error } = useQuery({ ...toolsQuery, enabled: name !== undefined });
  if (name === undefined) return null;
  const tool = tools?.find(({ display }) => toolName(display) === name);
  if (tool !== undefined) {
    return (
      <>
        {"the "}
        <Link to="/tools" search={{ name }}>
          {tool.display}
        </Link>
        {" of this portal."}
      </>
    );
  }
  if (tools !== undefined) return "a client that this portal does not offer.";
  return error ? "a client of this portal. The list of clients could not be loaded." : "a client of this portal.";
}
