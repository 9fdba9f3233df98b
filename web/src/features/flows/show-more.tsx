import { formatCount } from "@fairway/contract/counts";
import { Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";

const pageRows = 200;

/** Renders the first rows of a long list, and more on request. */
export function ShowMore<T>({ items, children }: { items: readonly T[]; children: (shown: readonly T[]) => ReactNode }) {
  const [count, setCount] = useState(pageRows);
  return (
    <>
      {children(items.slice(0, count))}
      {items.length > count && (
        <Group gap="md" wrap="nowrap" pt="md" fz="xs" c="dimmed">
          <Button variant="default" onClick={() => setCount(count + pageRows)}>
            Show More
          </Button>
          <span role="status">{`${formatCount(count)} of ${formatCount(items.length)} shown`}</span>
        </Group>
      )}
    </>
  );
}
