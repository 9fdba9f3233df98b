import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { lazyPart } from "./lazy-part.tsx";

it("stands in for a part that is loading, with its props", async () => {
  let finish = () => {};
  const loaded = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const Part = lazyPart(
    async () => {
      await loaded;
      return { default: ({ tools }: { tools: string }) => <p>{`${tools} and content`}</p> };
    },
    { isLarge: true, Loading: ({ tools }) => <p>{`${tools} while loading`}</p> },
  );
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  onTestFinished(() => root.unmount());
  root.render(<Part tools="Tools" />);
  await expect.element(page.getByText("Tools while loading")).toBeVisible();
  finish();
  await expect.element(page.getByText("Tools and content")).toBeVisible();
  await expect.element(page.getByText("Tools while loading")).not.toBeInTheDocument();
});
