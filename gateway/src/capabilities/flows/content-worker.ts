import { serveTasks } from "#threads/worker-side.ts";
import { performContentTask } from "./content-tasks.ts";

serveTasks(performContentTask);
