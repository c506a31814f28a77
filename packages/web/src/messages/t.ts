import { en } from './en.ts';

export type Messages = typeof en;

/** All text of the app. Another language is another file of this shape. */
export const t: Messages = en;
