import type { ReactNode } from "react";
import { island } from "#ui/island.tsx";
import { LoadingRows } from "#ui/states.tsx";
import classes from "./text-difference.module.css";

/** `TextContent`, loaded on its first use. Its toolbar is there at once. */
export const TextContent = island(async () => ({ default: (await import("./text-views.ts")).TextContent }), {
  isLarge: true,
  Loading: LoadingView,
});

/** `TextDifference`, loaded on its first use. Its toolbar is there at once. */
export const TextDifference = island(async () => ({ default: (await import("./text-views.ts")).TextDifference }), {
  isLarge: true,
  Loading: LoadingView,
});

function LoadingView({ tools }: { tools?: ReactNode }) {
  return (
    <>
      <div className={classes["tools"]}>{tools}</div>
      <LoadingRows label="Loading the content" rows={16} rowHeight={20} />
    </>
  );
}
