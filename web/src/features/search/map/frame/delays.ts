/** Delay between a change on the map and the update of the address. */
export const mapAddressDebounceMs = 500;
/** Delay between the last edit of a layer and its effect. */
export const layerEditDebounceMs = 500;
/** How long a tooltip stays after the mouse has left. */
export const tooltipLingerMs = 750;
/** How long a map of all rows rests before what it shows is counted. */
export const rowsRestMs = 250;
/** How long the mouse rests on a cell before its numbers are shown. */
export const cellHoverMs = 80;
