import { expect, it } from "vitest";
import { loginAddress, returnAddress } from "./return-address.ts";

const origin = "https://portal.example";
const resolve = (target: string) => returnAddress(`?redirect=${encodeURIComponent(target)}`, origin);

it.each(["/search/a%20b?x=1&code=001#eyJh", "/niflow-requests/g%201/3/4", "/files?path=2024"])(
  "[ROUTE-46] preserves %s through Login with its parameters, query and fragment",
  (target) => {
    const { pathname, search, hash } = new URL(target, origin);
    const login = new URL(loginAddress({ pathname, search, hash }), origin);
    expect(login.pathname).toBe("/login");
    expect(returnAddress(login.search, origin)).toBe(target);
  },
);

it("[LOGIN-07] leads to the datasets by default", () => {
  expect(loginAddress({ pathname: "/", search: "", hash: "" })).toBe("/login");
  expect(returnAddress("", origin)).toBe("/search");
});

it.each([
  "//evil.example",
  "/\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "/\t/evil.example",
  "/.//evil.example",
  "search",
  "",
  "/login",
  "/login?redirect=/login",
])("refuses to redirect to %j", (target) => {
  expect(resolve(target)).toBe("/search");
});
