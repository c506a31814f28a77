import { MintageError } from '@mintage/protocol';
import { Agent, request as httpRequest } from 'undici';

/** A JSON-RPC client of one chain, over one or several providers. */
export interface Rpc {
  /** False while no provider has answered since the last failure of all of them. */
  readonly up: boolean;
  /**
   * Sends one request; a provider that fails or is silent for the timeout is passed over.
   *
   * @throws MintageError NETWORK_ERROR when no provider answers, RpcError when one answers with an error.
   */
  request<Result = unknown>(method: string, params: readonly unknown[]): Promise<Result>;
  /** Asks every provider for its chain id. @throws MintageError NETWORK_ERROR when none is of the right chain. */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** The provider answered, and the answer is an error: a revert, an unknown method, bad parameters. */
export class RpcError extends Error {
  readonly rpcCode: number;
  /** Revert data of eth_call and eth_estimateGas, as the provider sent it. */
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data: unknown) {
    super(message);
    this.name = 'RpcError';
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

export interface RpcOptions {
  slug: string;
  /** A provider of another chain is never used again (threat W7). */
  chainId: number;
  /** In order of preference. */
  urls: readonly string[];
  /** Per provider; a read never waits longer than this times the number of providers. */
  timeoutMs?: number;
}

/** Errors that say "not me, not now" rather than anything about the request: the next provider is asked. */
const providerFaults = new Set([-32005, -32097, -32603, -32016, 429]);

interface Provider {
  url: string;
  /** Undefined until it was asked. */
  rightChain: boolean | undefined;
}

export const createRpc = ({ slug, chainId, urls, timeoutMs = 2_000 }: RpcOptions): Rpc => {
  if (urls.length === 0) throw new Error(`No RPC address for ${slug}: set RPC_URL_${envName(slug)}.`);
  const providers = urls.map((url): Provider => ({ url, rightChain: undefined }));
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, keepAliveTimeout: 30_000 });
  let preferred = 0;
  let up = true;
  let id = 0;

  const ask = async ({ url }: Provider, method: string, params: readonly unknown[]): Promise<unknown> => {
    id += 1;
    const response = await httpRequest(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.body.json()) as Answer;
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    if (response.statusCode !== 200 || answer.result === undefined) {
      throw new Error(`${slug}: a provider answers with status ${response.statusCode} and no result`);
    }
    return answer.result;
  };

  const checkChain = async (provider: Provider): Promise<void> => {
    const answered = Number(await ask(provider, 'eth_chainId', []));
    provider.rightChain = answered === chainId;
    if (!provider.rightChain) throw new Error(`${slug}: a provider serves chain ${answered}, not ${chainId}`);
  };

  const request = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    let cause: unknown;
    for (let turn = 0; turn < providers.length; turn += 1) {
      const index = (preferred + turn) % providers.length;
      const provider = providers[index] as Provider;
      try {
        if (!provider.rightChain) await checkChain(provider);
        const result = await ask(provider, method, params);
        preferred = index;
        up = true;
        return result;
      } catch (error) {
        if (error instanceof RpcError && !isProviderFault(error)) {
          up = true;
          throw error;
        }
        cause = error;
      }
    }
    up = false;
    throw new MintageError('NETWORK_ERROR', `The chain ${slug} is down: none of its providers answers.`, { cause });
  };

  return {
    get up() {
      return up;
    },
    request: request as Rpc['request'],
    async check() {
      await Promise.all(
        providers.map(async (provider) => {
          // Whatever it answers is kept in the provider; a silent one is found by the next request.
          await checkChain(provider).catch(() => undefined);
        }),
      );
      await request('eth_chainId', []);
    },
    async stop() {
      await dispatcher.destroy();
    },
  };
};

interface Answer {
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** -32603 is also what some nodes answer for a revert; revert data tells them apart. */
const isProviderFault = (error: RpcError): boolean =>
  providerFaults.has(error.rpcCode) && error.data === undefined && !/revert/i.test(error.message);

/** `base-sepolia` → `BASE_SEPOLIA`, the tail of its environment variable. */
export const envName = (slug: string): string => slug.toUpperCase().replaceAll('-', '_');
