import type { Caller } from '../../accounts/caller.ts';
import type { ServiceContext } from '../serviceContext.ts';

/**
 * The caller that a credential proves to the tool server: an API key, or an OAuth token issued for the tool server.
 * Access tokens of the REST interface have another audience and are refused (T1).
 */
export const createToolCaller =
  ({ auth, oauth }: Pick<ServiceContext, 'auth' | 'oauth'>) =>
  async (authorization: string | undefined): Promise<Caller | null> => {
    const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined || authorization === undefined) return null;
    if (token.split('.').length === 3) return oauth.verifyToolToken(token);
    const caller = await auth.verify(authorization);
    return caller?.method === 'apiKey' ? caller : null;
  };
