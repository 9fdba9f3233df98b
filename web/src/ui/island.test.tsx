import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { island } from "./island.tsx";

it("stands in for a part that is loading, with its props", async () => {
  let finish = () => {};
  const loaded = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const Part = island(
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

it("loads a part that failed again when it is used for something else, and not because what is in it was rendered again", async () => {
  let attempts = 0;
  const Part = island<{ of: string; children: ReactNode }>(() => {
    attempts += 1;
    return Promise.reject(new Error("Not reached."));
  });
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  onTestFinished(() => root.unmount());
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const render = (of: string, text: string) =>
    root.render(
      <Part of={of}>
        <p>{text}</p>
      </Part>,
    );
  const failed = page.getByText("This part of the application could not be loaded. Try again, or reload the page.");
  render("one", "a");
  await expect.element(failed).toBeVisible();
  const first = attempts;
  flushSync(() => render("one", "b"));
  await expect.element(failed).toBeVisible();
  expect(attempts).toBe(first);
  render("another", "b");
  await expect.poll(() => attempts).toBe(first + 1);
  await expect.element(failed).toBeVisible();
  expect(logged).toHaveBeenCalled();
});
