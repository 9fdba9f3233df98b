import type { Page } from "@playwright/test";

export const playback = (page: Page) => page.getByRole("region", { name: "Playback" });
