import type { Config } from './config.ts';

/** The same as `readyLines` for a program. */
export const readyFacts = ({ roles, chains }: Config, served: Config | null, tookMs: number) => ({
  ready: true,
  tookMs: Math.round(tookMs),
  roles: [...roles],
  chains: [...chains],
  ...(served && { web: served.appUrl, api: `${served.publicUrl}/functions/v1`, docs: `${served.publicUrl}/docs` }),
});

/**
 * First lines of what an entry prints once it runs.
 *
 * @param served - Configuration of the API that is served, with its real port; null without the role `api`.
 * @param tookMs - Milliseconds from the start of the process.
 */
export const readyLines = ({ roles, chains }: Config, served: Config | null, tookMs: number): string[] => {
  const parts = `${[...roles].join(', ')} for ${chains.join(', ')}`;
  const lines = [`Mintage is ready after ${(tookMs / 1000).toFixed(1)} s: ${parts}.`, ''];
  if (served === null) return lines;
  const { appUrl, publicUrl } = served;
  return [...lines, `Web    ${appUrl}`, `API    ${publicUrl}/functions/v1`, `Docs   ${publicUrl}/docs`];
};
