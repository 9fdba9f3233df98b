/** The forms of filters that are no comparisons: one part, loaded when the first of them is opened. */
export { AlternativesForm } from "./alternatives-form.tsx";
export { FurtherFields } from "./further-fields.tsx";
