import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { AccessSection } from "#parts/dataset-form/access-section.tsx";
import { DatasetFormScreen } from "#parts/dataset-form/dataset-form-screen.tsx";
import type { LoadedDataset } from "#parts/dataset-form/source.ts";
import { toastWarning } from "#ui/toast/toast.ts";
import { entitiesQuery } from "../entities/entity-calls.ts";
import { entityKindOf } from "../entities/entity-kind-of.ts";
import { EntityWarnings, isUsable, warningsLine } from "../entities/entity-warnings.tsx";
import { AdvancedSection } from "./advanced-section.tsx";
import { adminDatasetSource } from "./admin-source.ts";

const kind = entityKindOf("datasets/internal");

const warningsOf = ({ warnings }: LoadedDataset) => <EntityWarnings warnings={warnings} />;

/** The form of an internal dataset for administrators, beside the editor of its JSON. */
export default function AdminDatasetForm({ id }: { id: string }) {
  const navigate = useNavigate();
  const source = useMemo(() => adminDatasetSource(kind, id), [id]);
  const roles = useQuery(entitiesQuery({ type: "roles" }));
  return (
    <DatasetFormScreen
      key={id}
      source={source}
      title={id}
      subtitle={({ draft, version }, isDirty) =>
        `Internal dataset in ${draft.category}, version ${version}${isDirty ? ", with unsaved changes" : ""}`
      }
      notes={warningsOf}
      access={<AccessSection known={roles.data?.map(({ name }) => String(name))} />}
      advanced={<AdvancedSection />}
      onClose={() => void navigate({ to: "/internal-dataset-settings" })}
      onSaved={({ warnings = [] }) => {
        if (!isUsable(warnings)) toastWarning(`${id} does not work yet`, warningsLine(warnings));
      }}
    />
  );
}
