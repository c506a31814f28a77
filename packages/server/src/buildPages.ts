import { reasonOf } from './chain/wire.ts';

/**
 * Has the web app built before its first visitor comes, by asking for its first page: after the start, which does not wait for it.
 *
 * @param url - Where the API is; null: it is not served here.
 */
export const buildPages = async (url: string | null): Promise<void> => {
  if (url === null) return;
  const answer = await fetch(`${url}/`).catch((error: unknown) => error as Error);
  if (answer instanceof Error) console.error(`The first page could not be asked for at ${url}: ${reasonOf(answer)}`);
  else if (!answer.ok) console.error(`The pages cannot be built (status ${answer.status}); the log says why.`);
};
