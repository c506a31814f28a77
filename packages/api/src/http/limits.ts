export const basePath = '/functions/v1';

/** 256 KiB, for every operation that names no limit of its own. */
export const defaultBodyLimit = 256 * 1024;
