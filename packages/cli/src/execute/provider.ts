import type { ChainsAnswer } from '@mintage/sdk';
import { type HttpTransport, http } from 'viem';
import { Failure } from '../failure.ts';
import type { Shell } from '../shell.ts';

type Served = ChainsAnswer['chains'][number];

/** How a chain is reached: by --rpc, by the provider that the profile keeps, or by the one that the service names. */
export interface Provider {
  url: string;
  transport: HttpTransport;
  /** Half a block's time, milliseconds: a receipt is looked for about twice a block. */
  pollingInterval: number;
}

/** @throws Failure, from the function, where nobody names one. */
export const providers = async (shell: Shell, rpcUrl: string | undefined): Promise<(slug: string) => Provider> => {
  const { chains } = await (await shell.client()).chains();
  return (slug) => {
    const served: Served | undefined = chains.find((chain) => chain.slug === slug);
    const url = rpcUrl ?? shell.profile?.rpcUrls[slug] ?? served?.rpcUrl;
    if (url === undefined) {
      throw new Failure(
        'usage',
        `The service names no provider of ${slug}.`,
        `Add --rpc <url>, or keep one: mintage profile rpc ${slug} <url>.`,
      );
    }
    const pollingInterval = Math.min(4_000, Math.max(200, (served?.blockTimeMs ?? 4_000) / 2));
    return { url, transport: http(url), pollingInterval };
  };
};
