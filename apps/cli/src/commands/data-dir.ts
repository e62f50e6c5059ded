/** Where embedded commands keep their runs unless told otherwise: below the directory they are called in. */
export const DEFAULT_DATA_DIR = '.graphrun';
