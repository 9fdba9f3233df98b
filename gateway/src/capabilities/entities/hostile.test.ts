import type { Entity } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";

const markup = `<img src=x onerror="alert(1)"><script>alert(1)</script>{{7*7}}'; drop table users; --`;

const send = async (app: Awaited<ReturnType<typeof administrationApp>>, method: "POST" | "PUT", url: string, payload: string) => {
  const headers = { authorization: `Bearer ${app.root}`, "content-type": "application/json" };
  const response = await app.gateway.app.inject({ method, url, headers, payload });
  return { status: response.statusCode, code: response.json<{ errors?: { code: string }[] }>().errors?.[0]?.code };
};

it("refuses hostile imports: deep nesting, prototype keys, wrong types, duplicates and large bodies", async () => {
  const app = await administrationApp();
  const deep = (levels: number) => `{"name":"a","baseUrl":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const entities: [string, string, number][] = [
    ["two megabytes of nesting", deep(999_000), 413],
    ["a hundred levels", deep(100), 400],
    ["a prototype", '{"__proto__":{"isReplace":true},"name":"a"}', 400],
    ["a constructor", '{"constructor":{"prototype":{"admin":true}},"name":"a"}', 400],
    ["a number", "7", 400],
    ["null", "null", 400],
    ["a list", "[[]]", 400],
    ["a null character", '{"name":"a\\u0000","baseUrl":"https://a.example.org"}', 400],
    ["a lone surrogate", '{"name":"\\ud800","baseUrl":"https://a.example.org"}', 400],
    ["duplicates", '{"name":"a","baseUrl":"https://a.example.org"},{"name":"a","baseUrl":"https://a.example.org"}', 409],
    ["a path", '{"name":"../a","baseUrl":"https://a.example.org"}', 400],
  ];
  for (const type of ["torch-service", "datasets/external", "users"]) {
    for (const [what, text, status] of entities) {
      if (type !== "torch-service" && text.length > 10_000) continue;
      const response = await send(app, "PUT", `/admin/${type}/import`, `{"entities":[${text}],"isReplace":false}`);
      const expected = type === "torch-service" ? status : 400;
      expect([type, what, response.status]).toEqual([type, what, expected]);
      const preview = await send(app, "POST", `/admin/${type}/import/preview`, `{"entities":[${text}],"isReplace":true}`);
      expect([type, what, [200, 400, 413].includes(preview.status)]).toEqual([type, what, true]);
    }
    expect((await send(app, "POST", `/admin/${type}`, deep(5_000))).status).toBe(400);
    expect((await send(app, "PUT", `/admin/${type}/import`, `{"entities":[],"isReplace":"yes"}`)).status).toBe(400);
  }
  const large = JSON.stringify({ entities: [{ name: "a", baseUrl: "x".repeat(4_100_000) }], isReplace: false });
  expect((await send(app, "PUT", "/admin/torch-service/import", large)).status).toBe(413);
  expect((await app.admin<Entity[]>("GET", "torch-service")).body).toEqual([]);
  // Duplicates of an existing entity, too.
  const known = JSON.stringify({ name: "known", baseUrl: "https://a.example.org" });
  expect((await send(app, "POST", "/admin/torch-service", known)).status).toBe(201);
  expect((await send(app, "PUT", "/admin/torch-service/import", `{"entities":[${known},${known}],"isReplace":false}`)).status).toBe(409);
  expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
});

it("returns markup in any text unchanged", async () => {
  const { admin } = await administrationApp();
  const stored: Record<string, Record<string, unknown>> = {
    filesets: { id: markup.replaceAll("/", "|"), description: markup, s3Bucket: markup, s3Prefix: markup },
    docs: { id: "doc", name: markup, category: markup, description: markup },
    flowGroups: { name: "group", displayName: markup, description: markup },
    config: { name: "main", appTitle: markup.slice(0, 90), appSubtitle: markup },
    joltSpecifications: {
      name: "jolt",
      sourceType: markup,
      targetType: markup,
      joltSpec: [{ operation: "shift", spec: { [markup]: markup } }],
    },
    notices: { faIcon: "bell", title: markup, message: markup },
    roles: { name: markup.replaceAll("/", "|") },
    users: { username: markup.replaceAll("/", "|").slice(0, 90), firstName: markup, lastName: markup, email: markup },
  };
  for (const [type, draft] of Object.entries(stored)) {
    const saved = await admin<Entity>("POST", type, draft);
    expect([type, saved.status]).toEqual([type, 201]);
    expect(saved.body).toMatchObject(draft);
    const list = (await admin<Entity[]>("GET", type)).body;
    expect(
      list.find((entity) => Object.entries(draft).every(([name, value]) => JSON.stringify(entity[name]) === JSON.stringify(value))),
    ).toBeDefined();
  }
});

it("responds with 404 to hostile ids", async () => {
  const { admin } = await administrationApp();
  for (const id of ["..%2f..%2fusers", "%F0%9F%90%A6", "'%3B%20drop%20table%20users", "__proto__", "x".repeat(900)]) {
    for (const type of ["users", "config", "datasets/internal"]) {
      const statuses = [
        (await admin("DELETE", `${type}/${id}`)).status,
        (await admin("GET", `${type}/${id}/revisions`)).status,
        (await admin("GET", `${type}/${id}/revisions/1`)).status,
        (await admin("PUT", `${type}/${id}/enable`)).status,
      ];
      expect([type, id, statuses]).toEqual([type, id, [404, 404, 404, 404]]);
    }
  }
});
