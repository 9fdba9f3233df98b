import { IconStar } from "#ui/icons/star.ts";
import { IconStarFilled } from "#ui/icons/star-filled-filled.ts";
import { IconButton } from "#ui/icon-button.tsx";
import classes from "./facts.module.css";

interface Props {
  datasetId: string;
  isFavorite: boolean;
  onToggle: () => void;
}

/** Marks a dataset as a favorite. */
export function FavoriteStar({ datasetId, isFavorite, onToggle }: Props) {
  return (
    <IconButton label={`Favorite ${datasetId}`} aria-pressed={isFavorite} className={classes["star"]} onClick={onToggle}>
      {isFavorite ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
    </IconButton>
  );
}
