import type { DatasetRef } from "@fairway/contract/datasets";
import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { CodeBlock } from "#ui/code-block.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { exportLine, snippet, snippetLanguages, type SnippetLanguage } from "./keys-snippets.ts";
import classes from "./keys.module.css";

/** Example programs that read a dataset with a key. `value` is the key's value, known only right after its creation. */
export function KeyUse({ dataset, value }: { dataset: DatasetRef; value?: string | undefined }) {
  const query = useQuery(describeQuery(dataset.datasetCategory, dataset.datasetId));
  const { pageRows } = useLimits();
  const [language, setLanguage] = useState<SnippetLanguage>("cURL");
  return (
    <QueryState query={query} loading={{ label: "Loading the example" }} failed="Failed to load the example">
      {(description) => (
        <Stack gap="sm" align="flex-start">
          <Text fw="var(--weight-label)">Set the key in a shell, once:</Text>
          <CodeBlock isRegion label="Key as a variable" text={exportLine(value)} />
          <Text fw="var(--weight-label)">Then read {dataset.datasetId}:</Text>
          <SegmentedControl
            aria-label="Language"
            data={[...snippetLanguages]}
            value={language}
            onChange={(chosen) => setLanguage(snippetLanguages.find((candidate) => candidate === chosen) ?? "cURL")}
          />
          <CodeBlock isRegion label={`${language} program`} text={snippet(language, description, location.origin, pageRows)} />
          {language === "JavaScript" && <p className={classes["muted"]}>For Node.js 20 or newer, in a file that ends in .mjs.</p>}
        </Stack>
      )}
    </QueryState>
  );
}
