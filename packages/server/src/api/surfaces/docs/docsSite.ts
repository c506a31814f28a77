import type { ChainType } from '@mintage/protocol';
import type { DocsSite, ServedFile } from '../../handlers/context.ts';
import type { Reading } from '../../tokens/reading.ts';
import { basePath } from '../../wire/limits.ts';
import { servedFile } from '../files/servedFile.ts';
import { toolsPath } from '../oauth/addresses.ts';
import { toolChainsOf } from '../tools/toolChains.ts';

/** The library that reads Markdown is loaded here, at the first request for a page. */
export const openSite = async (
  deployment: Pick<Reading, 'config' | 'chains'>,
  chainTypes: readonly ChainType[],
): Promise<DocsSite> => {
  const { createSite, readSources } = await import('@mintage/docs');
  const { platformName, publicUrl, network, brandColor } = deployment.config;
  const about = {
    name: platformName,
    publicUrl,
    network,
    apiPath: basePath,
    toolsPath,
    color: brandColor,
    chainTypes,
    toolChains: toolChainsOf(deployment),
  };
  const site = createSite(about, readSources());
  const files = new Map<string, ServedFile>();
  return {
    content(path) {
      const file = site.read(path);
      if (file === undefined) throw new Error(`The documentation has no file ${path}.`);
      return { body: file.body, headers: headersOf(file.type) };
    },
    served(path) {
      const known = files.get(path);
      if (known !== undefined) return known;
      const file = site.read(path);
      if (file === undefined) return undefined;
      const served = servedFile(Buffer.from(file.body), headersOf(file.type));
      files.set(path, served);
      return served;
    },
  };
};

/** Pages load nothing from elsewhere, and have no script or style in them. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headersOf = (type: string): Record<string, string> => ({
  'content-type': type,
  'cache-control': 'public, max-age=300',
  ...(type.startsWith('text/html') ? { 'content-security-policy': pagePolicy } : {}),
});
