import { MintageError } from '@mintage/protocol/errors';

/** Longest text in an SVG, characters: laying text out takes time that grows with its square. */
const longestText = 2_000;

/**
 * Refuses SVG features that make a few kilobytes cost minutes or gigabytes to render and that logos do not need. This
 * only searches the text; what it misses is stopped by the time limit.
 *
 * @throws MintageError MEDIA_INVALID.
 */
export const refuseCostlySvg = (bytes: Uint8Array): void => {
  // One character per byte: element names are ASCII in every accepted encoding.
  const text = Buffer.from(bytes).toString('latin1');
  const encoding = /^[^<]*<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/i.exec(text)?.[1] ?? 'utf-8';
  if (!/^(utf-8|us-ascii|iso-8859-\d+|windows-125\d)$/i.test(encoding)) throw refused('is not in UTF-8');
  if (/<!ENTITY/i.test(text)) throw refused('declares entities');
  if (/<(?:[\w.-]+:)?(?:filter|fe[A-Z]\w*)[\s/>]/.test(text) || /\bfilter\s*[:=]\s*["']?\s*(?:[a-z-]+\()/i.test(text))
    throw refused('has filters (blur, shadow and the like)');
  if (/<(?:[\w.-]+:)?image[\s/>]/.test(text)) throw refused('holds another picture');
  if (shownText(text) > longestText) throw refused(`has more than ${longestText} characters of text`);
};

/** Characters between tags, white space apart. */
const shownText = (text: string): number =>
  text.split('<').reduce((sum, part) => sum + part.slice(part.indexOf('>') + 1).replace(/\s+/g, '').length, 0);

const refused = (what: string): MintageError =>
  new MintageError('MEDIA_INVALID', `The SVG ${what}: send it as PNG or JPEG`);
