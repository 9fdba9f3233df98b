/** Names of columns that hold degrees of latitude. */
export const latitudeName = /^(.*_)?(lat|latitude)(_deg)?$/i;
/** Names of columns that hold degrees of longitude. */
export const longitudeName = /^(.*_)?(lon|lng|long|longitude)(_deg)?$/i;
