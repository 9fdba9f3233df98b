import { type ComponentType, startTransition, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { latePart } from "./late-part.tsx";

const load = async () => {
  // Longer than React keeps a render waiting.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { default: ({ text }: { text: string }) => <p>{text}</p> };
};

it("a part that was loaded before shows at once, and none warns", async () => {
  const warned = vi.spyOn(console, "error").mockReturnValue(undefined);
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  onTestFinished(() => root.unmount());
  const show = (Part: ComponentType<{ text: string }>, text: string) =>
    root.render(
      <Suspense fallback={<p>Loading</p>}>
        <Part text={text} />
      </Suspense>,
    );
  show(({ text }) => <p>{text}</p>, "not late");
  await expect.element(page.getByText("not late")).toBeVisible();
  startTransition(() => show(latePart(load), "loads while it is rendered"));
  await expect.element(page.getByText("loads while it is rendered")).toBeVisible();

  const Preloaded = latePart(load);
  await Preloaded.preload();
  const seen: string[] = [];
  const observer = new MutationObserver(() => seen.push(document.body.textContent));
  observer.observe(document.body, { childList: true, subtree: true });
  show(Preloaded, "was loaded before");
  await expect.element(page.getByText("was loaded before")).toBeVisible();
  observer.disconnect();
  expect(seen.join("")).not.toContain("Loading");
  expect(warned.mock.calls.map(String)).toEqual([]);
});
