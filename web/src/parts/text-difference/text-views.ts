/** The views of texts and of their differences: one part, loaded with the first of them. */
export { TextContent } from "./text-content.tsx";
export { TextDifference } from "./text-difference.tsx";
