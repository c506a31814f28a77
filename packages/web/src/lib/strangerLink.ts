/** An address that a stranger gave, if a link may lead there: of the web, and no other scheme. Null: it stays text. */
export const webAddress = (text: string | null | undefined): string | null => {
  if (!text) return null;
  try {
    const url = new URL(text);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
};
