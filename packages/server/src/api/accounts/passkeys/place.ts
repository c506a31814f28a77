import { MintageError } from '@mintage/protocol';
import type { Config } from '../../../config.ts';

/** Where a passkey is created or used: the web app, or one flow of the OAuth pages. What is begun in one ends in no other. */
export interface Place {
  /** Host name that the passkeys of this deployment are good for. */
  rpId: string;
  /** Origins of the pages that may ask for them here. */
  origins: string[];
  /** Id of an OAuth flow; null: the web app. */
  flow: string | null;
}

/** Host name of the web app; null: it has a bare address, for which browsers keep no passkeys. */
const rpIdOf = ({ appUrl }: Pick<Config, 'appUrl'>): string | null => {
  const { hostname } = new URL(appUrl);
  return /^(\d+(\.\d+){3}|\[.*\])$/.test(hostname) ? null : hostname;
};

/** @throws MintageError NOT_FOUND where the deployment has no host name. */
export const webApp = (config: Pick<Config, 'appUrl'>): Place => {
  const rpId = rpIdOf(config);
  if (rpId === null) {
    throw new MintageError('NOT_FOUND', 'There are no passkeys here: the web app has an address without a host name');
  }
  return { rpId, origins: [new URL(config.appUrl).origin], flow: null };
};

/** The pages of one OAuth flow; null where a browser would not let them use the passkeys of the web app. */
export const oauthPages = (config: Pick<Config, 'appUrl' | 'publicUrl'>, flow: string): Place | null => {
  const rpId = rpIdOf(config);
  const { hostname, origin, protocol } = new URL(config.publicUrl);
  const isWithin = rpId !== null && (hostname === rpId || hostname.endsWith(`.${rpId}`));
  return isWithin && (protocol === 'https:' || hostname === 'localhost') ? { rpId, origins: [origin], flow } : null;
};
