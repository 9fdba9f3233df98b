import { page } from "vitest/browser";

export const details = () => page.getByRole("region", { name: "Row details" });
