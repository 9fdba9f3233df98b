import { Checkbox } from "@mantine/core";
import { type Feature, feature } from "@fairway/contract/datasets";
import { type DatasetDraft, plainColumns } from "./dataset-draft.ts";
import { FilterList } from "./filter-list-field.tsx";
import { useDatasetForm } from "./form-context.ts";
import { Fields, columnOptions, FormSection, useFieldProblem } from "./form-fields.tsx";
import { MultiSelect } from "#ui/select.tsx";
import classes from "./dataset-form.module.css";

const featureNames: Readonly<Record<Feature, { label: string; description: string }>> = {
  SAMPLE: { label: "Sample", description: "A few rows without a search" },
  PAGINATION: { label: "Pages", description: "Results page by page" },
  COUNT: { label: "Count", description: "How many rows match" },
};

/** Filters that a search of the dataset requires, offers or always applies. */
export function FiltersSection() {
  const { draft, update } = useDatasetForm();
  const { filterSupport, features } = draft;
  const setSupport = (change: Partial<DatasetDraft["filterSupport"]>) =>
    update((now) => ({ filterSupport: { ...now.filterSupport, ...change } }));
  const requiredOr = useFieldProblem(["filterSupport", "requiredOrFields"]);
  return (
    <FormSection id="filters">
      <Fields>
        <Checkbox
          label="People can filter by every column"
          checked={filterSupport.supportsAdvancedFiltering}
          onChange={(event) => setSupport({ supportsAdvancedFiltering: event.currentTarget.checked })}
        />
        <FilterList
          list="staticFilters"
          title="Suggested filters"
          about="Fields of the search form. A required one has to be filled before a search."
          add="Suggest a filter"
        />
        <MultiSelect
          {...requiredOr}
          label="One of these is required"
          description="A search needs a value of one of these columns, a range of time or an area."
          searchable
          data={columnOptions(plainColumns(draft))}
          value={filterSupport.requiredOrFields ?? []}
          onChange={(chosen) => setSupport({ requiredOrFields: chosen.length === 0 ? null : chosen })}
          placeholder={(filterSupport.requiredOrFields ?? []).length === 0 ? "None" : ""}
          nothingFoundMessage="No column with this name"
          hidePickedOptions
        />
        <FilterList
          list="preFilledFilters"
          title="Fixed filters"
          about="Applied to every search. Rows that do not match are never found."
          add="Add a fixed filter"
        />
        {(!filterSupport.supportsAdvancedFiltering || filterSupport.additionalFilters.length > 0) && (
          <FilterList
            list="additionalFilters"
            title="Further filters"
            about="People may add these, where they cannot filter by every column."
            add="Add a further filter"
          />
        )}
        <fieldset className={classes["list"]}>
          <legend>Features</legend>
          {feature.options.map((one) => (
            <Checkbox
              key={one}
              {...featureNames[one]}
              checked={features.includes(one)}
              onChange={(event) => {
                const isOn = event.currentTarget.checked;
                update((now) => ({ features: feature.options.filter((other) => (other === one ? isOn : now.features.includes(other))) }));
              }}
            />
          ))}
        </fieldset>
      </Fields>
    </FormSection>
  );
}
