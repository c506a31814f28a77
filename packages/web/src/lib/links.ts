/** Where else a token or a person is found, in the order in which it is shown. */
export const linkNames = ['website', 'twitter', 'telegram', 'discord', 'youtube'] as const;
export type LinkName = (typeof linkNames)[number];

/** What somebody typed, as an address of the web; without a scheme https. Null: it is none. */
export const typedLink = (text: string): URL | null => {
  const address = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
  return address !== null && /^https?:$/.test(address.protocol) && address.hostname.includes('.') ? address : null;
};
