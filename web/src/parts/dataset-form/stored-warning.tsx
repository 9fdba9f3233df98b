import { pathKey, type Path } from "./dataset-draft.ts";
import { useDatasetForm } from "./form-context.ts";
import classes from "./dataset-form.module.css";

/** Why the stored lookup or computed column at a path is left out of the dataset. */
export function StoredWarning({ path }: { path: Path }) {
  const { warnings } = useDatasetForm();
  const key = pathKey(path);
  const warning = warnings.find((one) => one.path === key || one.path?.startsWith(`${key}.`) === true);
  if (warning === undefined) return null;
  return (
    <p role="note" className={classes["warning"]}>
      {warning.message}
    </p>
  );
}

/** All of them, above the sections. */
export function StoredWarnings() {
  const { warnings, goTo } = useDatasetForm();
  if (warnings.length === 0) return null;
  return (
    <div role="note" aria-label="Columns that are left out" className={classes["warning"]}>
      <ul>
        {warnings.map(({ path = "", message }) => (
          <li key={`${path} ${message}`}>
            {message}{" "}
            <button
              type="button"
              className={classes["link"]}
              onClick={() => goTo(path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step)))}
            >
              Show
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
