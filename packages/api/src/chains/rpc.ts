import { MintageError } from '@mintage/protocol';

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
  /** In order of preference. */
  urls: readonly string[];
  /** Per provider; a read never waits longer than this times the number of providers. */
  timeoutMs?: number;
}

/** Errors that say "not me, not now" rather than anything about the request: the next provider is asked. */
const providerFaults = new Set([-32005, -32097, -32603, -32016, 429]);

export const createRpc = ({ slug, urls, timeoutMs = 2_000 }: RpcOptions): Rpc => {
  if (urls.length === 0) throw new Error(`No RPC address for ${slug}: set RPC_URL_${envName(slug)}.`);
  let preferred = 0;
  let up = true;
  let id = 0;

  const ask = async (url: string, method: string, params: readonly unknown[]): Promise<unknown> => {
    id += 1;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.json()) as {
      result?: unknown;
      error?: { code: number; message: string; data?: unknown };
    };
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message, answer.error.data);
    if (!response.ok || !('result' in answer)) throw new Error(`provider answered ${response.status} without a result`);
    return answer.result;
  };

  return {
    get up() {
      return up;
    },
    async request<Result>(method: string, params: readonly unknown[]): Promise<Result> {
      let cause: unknown;
      for (let turn = 0; turn < urls.length; turn += 1) {
        const index = (preferred + turn) % urls.length;
        try {
          const result = await ask(urls[index] as string, method, params);
          preferred = index;
          up = true;
          return result as Result;
        } catch (error) {
          if (error instanceof RpcError && !(providerFaults.has(error.rpcCode) && isProviderFault(error))) {
            up = true;
            throw error;
          }
          cause = error;
        }
      }
      up = false;
      throw new MintageError('NETWORK_ERROR', `No provider of ${slug} answers.`, { cause });
    },
  };
};

/** -32603 is also what some nodes answer for a revert; revert data tells them apart. */
const isProviderFault = (error: RpcError): boolean => error.data === undefined && !/revert/i.test(error.message);

/** `base-sepolia` → `BASE_SEPOLIA`, the tail of its environment variable. */
export const envName = (slug: string): string => slug.toUpperCase().replaceAll('-', '_');
