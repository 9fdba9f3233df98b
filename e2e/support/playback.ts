import type { Page } from "@playwright/test";

export const playback = (page: Page) => page.getByRole("region", { name: "Playback" });
export const slider = (page: Page) => playback(page).getByRole("slider", { name: "Time" });
