import type { OwnDataset } from "@fairway/contract/own-datasets";
import { Group } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { DatasetFormScreen } from "#parts/dataset-form/dataset-form-screen.tsx";
import { FormSection } from "#parts/dataset-form/form-fields.tsx";
import { StoredWarnings } from "#parts/dataset-form/stored-warning.tsx";
import { GiveButton } from "./give-button.tsx";
import { OwnFilesSection } from "./own-files-section.tsx";
import { ownDatasetSource } from "./own-source.ts";
import { ShareButton } from "./share-button.tsx";

const storedWarnings = () => <StoredWarnings />;

/** The settings of an own dataset, by the form that administrators have for theirs. */
export default function OwnDatasetForm({ own }: { own: OwnDataset }) {
  const navigate = useNavigate();
  const source = useMemo(() => ownDatasetSource(own.id), [own.id]);
  const title = own.title || own.datasetId;
  const { datasetCategory, datasetId } = own;
  return (
    <DatasetFormScreen
      key={own.id}
      source={source}
      title={title}
      subtitle={(_, isDirty) => `Settings of your dataset${isDirty ? ", with unsaved changes" : ""}`}
      notes={storedWarnings}
      files={<OwnFilesSection own={own} />}
      access={
        <FormSection id="sharing">
          <p>{own.shares.length === 0 ? "Only you see it." : `Shared with ${own.shares.map(({ to }) => to.name).join(", ")}.`}</p>
          {own.can === "own" && (
            <Group gap="xs" mt="xs">
              <ShareButton own={own} />
              <GiveButton own={own} />
            </Group>
          )}
        </FormSection>
      }
      onClose={() => void navigate({ to: "/data-catalog/$datasetCategory/$datasetId", params: { datasetCategory, datasetId } })}
    />
  );
}
