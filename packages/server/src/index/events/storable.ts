/** A text as PostgreSQL can keep it: without the character 0. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
