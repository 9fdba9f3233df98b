/** A ref that describes a field by another element: Mantine's inputs replace a given `aria-describedby` by their own texts. */
export const describedBy =
  (id: string | undefined) =>
  (field: Element | null): void => {
    if (id === undefined) field?.removeAttribute("aria-describedby");
    else field?.setAttribute("aria-describedby", id);
  };
