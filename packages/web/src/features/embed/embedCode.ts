import type { EmbedKind } from '../../../build/paths.ts';

export interface EmbedChoice {
  /** Slug of the token. */
  token: string;
  kind: EmbedKind;
  theme: 'auto' | 'light' | 'dark';
  /** Who earns by what it leads to: an address; null: nobody. */
  referral: string | null;
}

/** Pixels of a frame, before it says how high it is. */
export const frameSize: Readonly<Record<EmbedKind, { width: number; height: number }>> = {
  trade: { width: 400, height: 373 },
  price: { width: 420, height: 66 },
};

/** Address of a framed page below the pages' own. */
export const frameUrl = (root: string, { token, kind, theme, referral }: EmbedChoice): string => {
  const query = new URLSearchParams({
    ...(theme !== 'auto' && { theme }),
    ...(referral !== null && { ref: referral }),
  }).toString();
  return `${root}/embed/${kind}/${encodeURIComponent(token)}${query === '' ? '' : `?${query}`}`;
};

/** HTML for another page: a script that keeps the frame as high as it needs. */
export const scriptCode = (root: string, { token, kind, theme, referral }: EmbedChoice): string => {
  const ref = referral === null ? '' : ` data-ref="${quoted(referral)}"`;
  const data = `data-token="${quoted(token)}" data-kind="${kind}" data-theme="${theme}"${ref}`;
  return `<script src="${quoted(root)}/embed.js" ${data} async></script>`;
};

/** HTML for pages that allow no scripts of others. */
export const frameCode = (root: string, choice: EmbedChoice, title: string): string => {
  const { width, height } = frameSize[choice.kind];
  const sandbox = 'allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox';
  return (
    `<iframe src="${quoted(frameUrl(root, choice))}" title="${quoted(title)}" width="${width}" height="${height}" ` +
    `loading="lazy" sandbox="${sandbox}" style="border:0;max-width:100%"></iframe>`
  );
};

const quoted = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
