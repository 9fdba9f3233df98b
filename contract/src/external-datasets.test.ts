import { describe, expect, it } from "vitest";
import { externalDataset } from "./external-datasets.ts";

const api = {
  name: "flights",
  path: "/flights/{airport}",
  method: 0,
  filters: [{ name: "airport", type: 1, placement: 0, required: true }],
};
const entity = { name: "Airline", baseRoute: "https://api.example.org/v1", apis: [api] };

/** Problems as `path: message`. */
function problems(change: object, apiChange: object = {}): string[] {
  const parsed = externalDataset.safeParse({ ...entity, apis: [{ ...api, ...apiChange }], ...change });
  return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
}
const filter = (overrides: object) => ({ name: "x", type: 1, placement: 1, ...overrides });

describe("an external dataset", () => {
  it("[ENTITY-05] accepts the specification's fields and applies defaults for omitted ones", () => {
    const complete = {
      name: "Airline",
      description: "Flights.",
      baseRoute: "https://api.example.org/v1",
      keystoreCredential: { path: "airline.p12", type: "PKCS12", password: "secret" },
      apiKeyCredential: { headerName: "X-Key", key: "abc" },
      apis: [
        {
          name: "flights",
          description: "Departures.",
          path: "/flights/{airport}",
          method: 2,
          filters: [
            { name: "airport", description: "IATA.", displayName: "Airport", type: 1, placement: 0, required: true },
            { name: "seats", description: "Free ones.", displayName: "Seats", type: 0, placement: 2, required: false },
          ],
        },
      ],
      roles: [{ roleName: "pilot" }],
    };
    expect(externalDataset.parse(complete)).toMatchObject(complete);
    expect(externalDataset.parse(complete).apis[0]).toMatchObject({
      columns: null,
      operators: { "=": "{name}" },
      paging: null,
      rowsPath: null,
    });
    expect(problems({})).toEqual([]);
  });

  it.each([
    [{ baseRoute: "ftp://example.org" }, /^baseRoute/],
    [{ baseRoute: "https://ada:secret@example.org" }, /^baseRoute/],
    [{ baseRoute: "https://example.org/?key=1" }, /^baseRoute/],
    [{ name: "a/b" }, /^name/],
    [
      { baseRoute: "http://example.org", keystoreCredential: { path: "a.pem", type: "PEM" } },
      /^keystoreCredential: needs a baseRoute with https/,
    ],
    [{ keystoreCredential: { path: "../master.key", type: "PEM" } }, /^keystoreCredential\.path/],
    [{ keystoreCredential: { path: "a.jks", type: "JKS" } }, /^keystoreCredential\.type/],
    [{ apiKeyCredential: { headerName: "Host", key: "x" } }, /^apiKeyCredential\.headerName/],
    [{ apiKeyCredential: { headerName: "X-Key\r\nX-Other", key: "x" } }, /^apiKeyCredential\.headerName/],
    [{ apiKeyCredential: { headerName: "X-Key", key: "x\r\nX-Other: 1" } }, /^apiKeyCredential\.key/],
    [{ apis: [api, api] }, /^apis\.1\.name: is the name of another api/],
  ])("refuses %j", (change, expected) => {
    expect(problems(change)).toContainEqual(expect.stringMatching(expected));
  });

  it.each([
    [{ method: 3 }, /^apis\.0\.method/],
    [{ path: "flights/{airport}" }, /^apis\.0\.path/],
    [{ path: "//evil.example/{airport}" }, /^apis\.0\.path/],
    [{ path: "/../{airport}" }, /^apis\.0\.path/],
    [{ path: "/%2E%2e/{airport}" }, /^apis\.0\.path/],
    [{ path: "/x/{airport}?a={b}" }, /^apis\.0\.path/],
    [{ path: "/x/{airport}#part" }, /^apis\.0\.path/],
    [{ path: "/flights" }, /^apis\.0\.filters\.0\.placement: the path does not contain \{airport\}/],
    [{ path: "/{airport}/{gate}" }, /^apis\.0\.path: there is no filter 'gate'/],
    [{ filters: [filter({ name: "airport", placement: 0 })] }, /^apis\.0\.filters\.0\.required/],
    [{ filters: [...api.filters, filter({ type: 2 })] }, /^apis\.0\.filters\.1\.type/],
    [{ filters: [...api.filters, filter({ placement: 3 })] }, /^apis\.0\.filters\.1\.placement/],
    [{ filters: [...api.filters, filter({ placement: 2 })] }, /^apis\.0\.filters\.1\.placement: a GET has no body/],
    [{ filters: [...api.filters, filter({}), filter({})] }, /^apis\.0\.filters\.2\.name/],
    [{ operators: {} }, /^apis\.0\.operators/],
    [{ operators: { "~": "{name}" } }, /^apis\.0\.operators/],
    [{ operators: { ">=": "min" } }, /^apis\.0\.operators\.>=: must contain \{name\} once/],
    [{ paging: { offset: "o", max: "m", placement: 2 } }, /^apis\.0\.paging\.placement: a GET has no body/],
    [{ columns: [] }, /^apis\.0\.columns/],
  ])("refuses an api with %j", (change, expected) => {
    expect(problems({}, change)).toContainEqual(expect.stringMatching(expected));
  });
});
