import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";
import { mount } from "./open-screen.tsx";

/** As in the app: `expectAccessible` switches the theme by it. */
const colorSchemeManager = localStorageColorSchemeManager({ key: "fairway.theme" });

/** Shows a part that fills its parent on a page of its own. */
export function openFilled(part: ReactNode): void {
  mount(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} colorSchemeManager={colorSchemeManager}>
      <main style={{ height: "100vh", display: "flex", flexDirection: "column" }}>
        <h1 className="visually-hidden">Page</h1>
        {part}
      </main>
    </MantineProvider>,
  );
}
