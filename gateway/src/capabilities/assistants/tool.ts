import type { z } from "zod";
import type { InnerCaller, InnerCalls } from "#http/inner-calls.ts";

/** Context of one call of a tool. */
export interface ToolContext {
  readonly calls: Pick<InnerCalls, "call" | "fetch">;
  readonly caller: InnerCaller;
  /** Of the portal's pages, such as `https://data.example.org`. */
  readonly origin: string;
}

/** A tool that assistants may use. `answer` returns JSON; the assistant sees the messages of its errors. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  answer(input: z.output<Input>, context: ToolContext): Promise<Readonly<Record<string, unknown>>>;
}

/** Declares a tool, checking its answer against its input. */
export const tool = <Input extends z.ZodType>(definition: Tool<Input>): Tool<Input> => definition;
