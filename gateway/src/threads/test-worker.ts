import { type TaskProgram, serveTasks } from "./worker-side.ts";

/** Tasks for tests. */
export type TestTask = { readonly kind: "echo"; readonly texts: readonly string[] } | { readonly kind: "spin" | "allocate" | "throw" };

const perform: TaskProgram<TestTask, number> = (task, emit) => {
  switch (task.kind) {
    case "echo":
      for (const text of task.texts) emit(new TextEncoder().encode(text));
      return task.texts.length;
    case "throw":
      throw new Error("requested");
    case "spin":
      for (;;);
    case "allocate":
      for (const kept: object[] = []; ; kept.push(Array.from({ length: 1_000 }, () => ({}))));
    default:
      return task satisfies never;
  }
};

serveTasks(perform);
