import { isJsonObject } from "@fairway/contract/json";

/** The same value with its fields in the order of `model`, followed by the others, so a diff shows only real differences. */
export function withFieldOrder(model: unknown, value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => withFieldOrder(Array.isArray(model) ? model[index] : undefined, inner));
  if (!isJsonObject(value) || !isJsonObject(model)) return value;
  const names = [
    ...Object.keys(model).filter((name) => Object.hasOwn(value, name)),
    ...Object.keys(value).filter((name) => !Object.hasOwn(model, name)),
  ];
  return Object.fromEntries(names.map((name) => [name, withFieldOrder(model[name], value[name])]));
}
