import { passesRole } from "@fairway/contract/access";
import { datasetKey } from "@fairway/contract/datasets";
import { schemaEditRole } from "@fairway/contract/descriptions";
import { Button, Menu } from "@mantine/core";
import { IconBulb } from "#ui/icons/bulb.ts";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { suggestionCountsQuery } from "./queries.ts";
import { labelOf } from "./suggestions-footer.tsx";
import classes from "./suggestions.module.css";

/** The datasets with open suggestions, of which reviewers see all, others their own. Nothing without any. */
export default function CatalogSuggestions() {
  const { data = [], isError, refetch } = useQuery(suggestionCountsQuery);
  const { roles } = useCurrentUser();
  if (isError) {
    return (
      <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
        Suggestions could not be loaded. Retry
      </Button>
    );
  }
  if (data.length === 0) return null;
  const count = data.reduce((sum, { suggestions }) => sum + suggestions, 0);
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBulb size={16} aria-hidden />} rightSection={<IconChevronDown size={16} aria-hidden />}>
          {labelOf(count, passesRole(roles, schemaEditRole))}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes["menu"] ?? ""}>
        {data.map(({ dataset, suggestions }) => (
          <Menu.Item
            key={datasetKey(dataset)}
            rightSection={<span className={classes["count"]}>{suggestions.toLocaleString("en-US")}</span>}
            renderRoot={(props) => (
              <Link
                to="/data-catalog/$datasetCategory/$datasetId"
                params={{ datasetCategory: dataset.datasetCategory, datasetId: dataset.datasetId }}
                {...props}
              />
            )}
          >
            {dataset.datasetId}
            <span className={classes["category"]}>{dataset.datasetCategory}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
