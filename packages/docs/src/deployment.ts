import type { ChainType, Slug } from '@mintage/protocol';

/** What the site says of the service that serves it. */
export interface Deployment {
  name: string;
  /** Where callers reach the service, without a slash at the end; it may have a path. */
  publicUrl: string;
  network: 'Mainnet' | 'Testnet';
  /** Base path of the interface, as `/functions/v1`. */
  apiPath: string;
  /** Path of the tool server, from the root. */
  toolsPath: string;
  /** `#rrggbb`, whose hue and strength the site takes; null: bronze. */
  color: string | null;
  /** Families of the chains that are served: forms of addresses are theirs. */
  chainTypes: readonly ChainType[];
  /** Chains on which tools act. */
  toolChains: readonly Slug[];
}

/** Path of the site on its host: links are absolute, since a page is served with and without a slash at its end. */
export const siteRoot = ({ publicUrl }: Pick<Deployment, 'publicUrl'>): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}/docs`;
