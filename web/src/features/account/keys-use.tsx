import type { DatasetRef } from "@fairway/contract/datasets";
import { Button, SegmentedControl } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { copyText } from "#lib/copy.ts";
import { messagesOf } from "#lib/gateway-error.ts";
import { useLimits } from "#lib/portal-settings.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastSuccess } from "#ui/toast.ts";
import { exportLine, snippet, snippetLanguages, type SnippetLanguage } from "./keys-snippets.ts";
import classes from "./keys.module.css";

/** Example programs that read a dataset with a key. `value` is the key's value, known only right after its creation. */
export function KeyUse({ dataset, value }: { dataset: DatasetRef; value?: string | undefined }) {
  const { data: description, error, isFetching, refetch } = useQuery(describeQuery(dataset.datasetCategory, dataset.datasetId));
  const { pageRows } = useLimits();
  const [language, setLanguage] = useState<SnippetLanguage>("cURL");
  if (!description) {
    return error && !isFetching ? (
      <ErrorState message="Failed to load the example" details={messagesOf(error)} onRetry={() => void refetch()} />
    ) : (
      <LoadingRows label="Loading the example" />
    );
  }
  return (
    <div className={classes["use"]}>
      <p className={classes["step"]}>Set the key in a shell, once:</p>
      <Code label="Key as a variable" text={exportLine(value)} />
      <p className={classes["step"]}>Then read {dataset.datasetId}:</p>
      <SegmentedControl
        aria-label="Language"
        data={[...snippetLanguages]}
        value={language}
        onChange={(chosen) => setLanguage(snippetLanguages.find((candidate) => candidate === chosen) ?? "cURL")}
      />
      <Code label={`${language} program`} text={snippet(language, description, location.origin, pageRows)} />
      {language === "JavaScript" && <p className={classes["muted"]}>For Node.js 20 or newer, in a file that ends in .mjs.</p>}
    </div>
  );
}

function Code({ label, text }: { label: string; text: string }) {
  const copy = async () => {
    if (await copyText(text)) toastSuccess("Copied", 1200);
  };
  return (
    <div className={classes["code"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region is reached by the keyboard */}
      <pre role="region" aria-label={label} tabIndex={0}>
        {text}
      </pre>
      <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} aria-label={`Copy ${label}`} onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  );
}
