import type { ReactNode } from "react";
import { lazyPart } from "#ui/lazy-part.tsx";
import { LoadingRows } from "#ui/states.tsx";
import classes from "./text-view.module.css";

/** `TextContent`, loaded on its first use. Its toolbar is there at once. */
export const TextContent = lazyPart(async () => ({ default: (await import("./text-content.tsx")).TextContent }), {
  isLarge: true,
  Loading: LoadingView,
});

/** `TextDifference`, loaded on its first use. Its toolbar is there at once. */
export const TextDifference = lazyPart(async () => ({ default: (await import("./text-difference.tsx")).TextDifference }), {
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
