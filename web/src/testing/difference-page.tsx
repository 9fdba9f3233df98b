import "#ui/theme/base.css";
import "#ui/theme/mantine.css";
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { TextDifference } from "#parts/text-difference/text-difference.tsx";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";

/** Differences as on a screen, of texts from the script that drives the page. */
const differencePage = {
  open(before: string, after: string): void {
    const root = document.querySelector("#root");
    if (!root) throw new Error("The page has no element #root.");
    createRoot(root).render(
      <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver}>
        <main style={{ height: "100vh", display: "flex" }}>
          <TextDifference label="Differences" names={["Iteration 1", "Iteration 2"]} before={before} after={after} canIgnorePositions />
        </main>
      </MantineProvider>,
    );
  },
};

export type DifferencePage = typeof differencePage;

Object.assign(globalThis, { differencePage });
