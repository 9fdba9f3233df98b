import { page } from "vitest/browser";

export const section = () => page.getByRole("region", { name: "Your data" });
