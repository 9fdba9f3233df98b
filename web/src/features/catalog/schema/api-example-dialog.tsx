import type { DatasetRef } from "@fairway/contract/datasets";
import { toolName } from "@fairway/contract/tools";
import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { profileQuery } from "#parts/dataset-profile/queries.ts";
import { guideQuery, toolsQuery } from "#parts/tool-guides/queries.ts";
import { CodeBlock } from "#ui/code-block.tsx";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import type { SchemaDialogProps } from "../descriptions/schema-dialog.ts";
import { curlExample, guideExample, placeholdersIn } from "./call-examples.ts";
import classes from "./schema.module.css";

/** The clients whose guides hold the examples, by their names in addresses. */
const clients = { Python: "pythonclient", TypeScript: "typescriptclient" } as const;
const languages = ["cURL", "Python", "TypeScript"] as const;
type Language = (typeof languages)[number];

const loading = { label: "Loading the example", rows: 6 };

/** Examples of calls of a dataset, in three languages with its real names. */
export default function ApiExampleDialog({ schema: { dataset }, opened, onClose }: SchemaDialogProps) {
  const [language, setLanguage] = useState<Language>("cURL");
  const hasNoKeys = useIsScreenDisabled("ApiKeys");
  return (
    <Dialog opened={opened} onClose={onClose} title={`How to call ${dataset.datasetId}`} size="lg" fillsPhone>
      <div className={classes["content"]}>
        <SegmentedControl
          aria-label="Language"
          data={[...languages]}
          value={language}
          onChange={(value) => setLanguage(languages.find((one) => one === value) ?? "cURL")}
        />
        <Example dataset={dataset} language={language} />
        {!hasNoKeys && (
          <p>
            {"Set FAIRWAY_API_KEY to an API key that can read this dataset. "}
            <Link to="/keys">Create an API key</Link>
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Example({ dataset, language }: { dataset: DatasetRef; language: Language }) {
  const { datasetCategory: category, datasetId } = dataset;
  const described = useQuery(describeQuery(category, datasetId));
  const { data: state } = useQuery(profileQuery(category, datasetId));
  if (!described.data) return <WithoutData query={described} loading={loading} failed="Error loading the dataset." />;
  const known = { description: described.data, profile: state?.profile ?? undefined };
  const code = (text: string) => {
    const names = placeholdersIn(text, known);
    return (
      <>
        <CodeBlock label={`${language} example`} text={text} />
        {names.length > 0 && <p>{`Replace the example ${names.length === 1 ? "value" : "values"} of ${names.join(", ")}.`}</p>}
      </>
    );
  };
  if (language === "cURL") return code(curlExample(dataset, known, location.origin));
  return (
    <ClientExample name={clients[language]} language={language}>
      {(guide) => {
        const example = guideExample(guide, dataset, known, location.origin);
        return example === null ? <p>The guide of this client has no example.</p> : code(example);
      }}
    </ClientExample>
  );
}

interface ClientExampleProps {
  name: string;
  language: Language;
  children: (guide: string) => ReactNode;
}

/** An example of a client's guide, with a link to the client. */
function ClientExample({ name, language, children }: ClientExampleProps) {
  const tools = useQuery(toolsQuery);
  const tool = tools.data?.find(({ display }) => toolName(display) === name);
  const guide = useQuery({ ...guideQuery(name), enabled: tool !== undefined });
  if (tools.data && tool === undefined) return <p>{`This portal does not offer a client for ${language}.`}</p>;
  if (tool === undefined || guide.data === undefined)
    return <WithoutData query={tool ? guide : tools} loading={loading} failed="Error loading guide." />;
  return (
    <>
      {children(guide.data)}
      <p>
        <Link to="/tools" search={{ name }}>{`Download the ${tool.display}, and read its guide`}</Link>
      </p>
    </>
  );
}
