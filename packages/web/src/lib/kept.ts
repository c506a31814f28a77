import { del, get, set } from 'idb-keyval';

/**
 * What is too big for the storage of texts, or must be kept before something is sent: by name, in this browser's database. Where a
 * browser has none, it lasts as long as the page.
 */
const forNow = new Map<string, unknown>();

export const kept = async <Value>(name: string): Promise<Value | null> => {
  if (forNow.has(name)) return (forNow.get(name) as Value | undefined) ?? null;
  try {
    return (await get<Value>(`mintage ${name}`)) ?? null;
  } catch {
    return null; // It is off here.
  }
};

/** Resolves once it is kept for good. */
export const keep = async (name: string, value: unknown): Promise<void> => {
  try {
    await set(`mintage ${name}`, value);
    forNow.delete(name);
  } catch {
    forNow.set(name, value);
  }
};

export const forget = async (name: string): Promise<void> => {
  forNow.delete(name);
  await del(`mintage ${name}`).catch(() => null);
};
