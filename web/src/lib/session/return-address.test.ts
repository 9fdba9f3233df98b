import { expect, it } from "vitest";
import { loginAddress, returnAddress } from "./return-address.ts";

const origin = "https://portal.example";
const there = (wanted: string) => returnAddress(`?redirect=${encodeURIComponent(wanted)}`, origin);

it.each(["/search/a%20b?x=1&code=001#eyJh", "/niflow-requests/g%201/3/4", "/files?path=2024"])(
  "[ROUTE-46] remembers %s through Login with its parameters, query and fragment",
  (wanted) => {
    const { pathname, search, hash } = new URL(wanted, origin);
    const login = new URL(loginAddress({ pathname, search, hash }), origin);
    expect(login.pathname).toBe("/login");
    expect(returnAddress(login.search, origin)).toBe(wanted);
  },
);

it("[LOGIN-07] leads to the datasets where nothing was intended", () => {
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
])("does not lead to %j", (wanted) => {
  expect(there(wanted)).toBe("/search");
});
