import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Proxy, type RpcRequest, startProxy } from '@mintage/devnet';
import type { ServedChain } from '../../../src/chain/servedChain.ts';
import type { Proofs } from '../proofs.ts';
import type { SignerOrder } from './signerProcess.ts';

const program = fileURLToPath(new URL('./signerProcess.ts', import.meta.url));

/** The chain and the database that a signer works on. */
export interface SignerGround {
  databaseUrl: string;
  kek: Uint8Array;
  proofs: Proofs;
  rpcUrl: string;
  served(rpcUrls: readonly string[]): ServedChain;
}

/** A signer process with two providers of its own, through which it can be halted. */
export interface SignerChild {
  /** As its connections are called in the database. */
  name: string;
  /** Resolves when the process makes such a request, which from then on has no answer. */
  halt(when: 'before' | 'after', matches: (calls: readonly RpcRequest[]) => boolean): Promise<void>;
  /** Answers whatever is halted, and halts no more. */
  release(): void;
  /** SIGKILL, and another process in its place. */
  replace(): Promise<void>;
  stop(): Promise<void>;
}

export const startSignerChild = async (ground: SignerGround, name: string): Promise<SignerChild> => {
  const proxies = [await startProxy(ground.rpcUrl), await startProxy(ground.rpcUrl)];
  const url = new URL(ground.databaseUrl);
  url.searchParams.set('application_name', name);
  const order: SignerOrder = {
    databaseUrl: url.href,
    chains: [ground.served(urlsOf(proxies))],
    kek: Buffer.from(ground.kek).toString('base64'),
    publicKey: ground.proofs.publicKey,
    signingLog: ground.proofs.folder,
    pollMs: 50,
  };
  let child = await start(order);
  let goOn: (() => void) | undefined;
  return {
    name,
    halt: (when, matches) =>
      new Promise((reached) => {
        const released = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        for (const proxy of proxies)
          proxy.intercept = async (calls, forward) => {
            if (!matches(calls)) return forward();
            const answer = when === 'after' ? await forward() : undefined;
            reached();
            await released;
            return answer ?? forward();
          };
      }),
    release: () => {
      for (const proxy of proxies) proxy.intercept = undefined;
      goOn?.();
    },
    replace: async () => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
      child = await start(order);
    },
    stop: async () => {
      const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      if (child.connected) child.disconnect();
      await exit;
      for (const proxy of proxies) await proxy.stop();
    },
  };
};

const urlsOf = (proxies: readonly Proxy[]): string[] => proxies.map(({ url }) => url);

const start = async (order: SignerOrder): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SIGNER: JSON.stringify(order) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  if (message !== 'started') throw new Error(`the signer's process ended with code ${child.exitCode}`);
  return child;
};
