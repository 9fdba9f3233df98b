import { createTheme, localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { queryClient } from "#lib/gateway/query-client.ts";
import { cssVariablesResolver, theme } from "#ui/theme/theme.ts";

// The Content-Security-Policy only allows styles with this response's nonce.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

/** `theme.js` reads this key before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: "fairway.theme" });

const popUps = "pop-ups";

/** Menus, lists and popovers open in a landmark, as all content is in one. Dialogs and messages are announced by their roles. */
const appTheme = mergeThemeOverrides(
  theme,
  createTheme({
    components: Object.fromEntries(
      ["Popover", "Tooltip"].map((name) => [name, { defaultProps: { portalProps: { target: `#${popUps}` } } }]),
    ),
  }),
);

export function App({ router }: { router: AnyRouter }) {
  return (
    <MantineProvider
      theme={appTheme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
      <section id={popUps} className="pop-ups" aria-label="Pop-ups" />
    </MantineProvider>
  );
}
