import { datasetKey } from "@fairway/contract/datasets";
import { Button, Flex } from "@mantine/core";
import { IconLink } from "#ui/icons/link.ts";
import { useId } from "react";
import { AnnouncementMark } from "#parts/dataset-announcements/announcement-mark.tsx";
import { useAnnouncements } from "#parts/dataset-announcements/queries.ts";
import { type LinkedDataset, resolveLink, type ValueOf } from "./link-filters.ts";
import { useLinkSearch } from "./use-link-search.ts";
import classes from "./linked-datasets.module.css";

interface Props {
  links: readonly LinkedDataset[];
  valueOf: ValueOf;
  /** The display name of a column. */
  nameOf: (column: string) => string;
}

/** The linked datasets of a form, with a button that searches all that have their values. */
export function LinkedDatasets({ links, valueOf, nameOf }: Props) {
  const id = useId();
  const announcements = useAnnouncements();
  const { isStarting, search } = useLinkSearch();
  const ready = links.filter((link) => resolveLink(link, valueOf).missing.length === 0);
  return (
    <section aria-labelledby={id} className={classes["links"]}>
      <h3 id={id}>Linked datasets</h3>
      <ul>
        {links.map((link, index) => {
          const { settings, missing } = resolveLink(link, valueOf);
          const announcement = announcements.get(datasetKey(link));
          return (
            // Links may share dataset and name.
            // oxlint-disable-next-line react/no-array-index-key -- the list never changes
            <li key={index}>
              <span>
                {link.display}
                {announcement && (
                  <>
                    {" "}
                    <AnnouncementMark announcement={announcement} />
                  </>
                )}
              </span>
              <small>
                {missing.length > 0
                  ? `${link.datasetId}, needs ${missing.map(nameOf).join(", ")}`
                  : [link.datasetId, ...settings.map(({ name, operator, value }) => `${name} ${operator} ${String(value)}`)].join(", ")}
              </small>
            </li>
          );
        })}
      </ul>
      <Button
        variant="default"
        leftSection={<IconLink size={16} aria-hidden />}
        disabled={ready.length === 0}
        loading={isStarting}
        onClick={() => search(ready, valueOf)}
      >
        Search linked datasets
      </Button>
    </section>
  );
}

/** The links of a result row: single searches, and all of them together. */
export function RowLinks({ links, valueOf }: Omit<Props, "nameOf">) {
  const { isStarting, search } = useLinkSearch();
  const ready = links.filter((link) => resolveLink(link, valueOf).missing.length === 0);
  return (
    <Flex role="group" aria-label="Linked datasets" gap="sm" wrap="wrap">
      {links.map((link, index) => (
        <Button
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes
          key={index}
          variant="default"
          leftSection={<IconLink size={16} aria-hidden />}
          title={`Search ${link.datasetId}`}
          disabled={isStarting || !ready.includes(link)}
          onClick={() => search([link], valueOf)}
        >
          {link.display}
        </Button>
      ))}
      {ready.length > 1 && (
        <Button variant="subtle" disabled={isStarting} onClick={() => search(ready, valueOf)}>
          Search all linked datasets
        </Button>
      )}
    </Flex>
  );
}
