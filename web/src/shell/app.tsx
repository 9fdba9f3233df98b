import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { type AnyRouter, RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { queryClient } from "#lib/query-client.ts";
import { cssVariablesResolver, theme } from "#ui/theme.ts";

// The Content-Security-Policy only allows styles with this response's nonce.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

/** `theme.js` reads this key before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: "fairway.theme" });

export function App({ router }: { router: AnyRouter }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
