import { formatCount } from "@fairway/contract/counts";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import classes from "./flows.module.css";

const pageRows = 200;

/** Renders the first rows of a long list, and more on request. */
export function ShowMore<T>({ items, children }: { items: readonly T[]; children: (shown: readonly T[]) => ReactNode }) {
  const [count, setCount] = useState(pageRows);
  return (
    <>
      {children(items.slice(0, count))}
      {items.length > count && (
        <div className={classes["more"]}>
          <Button variant="default" onClick={() => setCount(count + pageRows)}>
            Show More
          </Button>
          <span role="status">{`${formatCount(count)} of ${formatCount(items.length)} shown`}</span>
        </div>
      )}
    </>
  );
}
