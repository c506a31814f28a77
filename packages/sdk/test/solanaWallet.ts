import { generateKeyPairSync, sign } from 'node:crypto';
import { toBase58 } from '@mintage/protocol';
import type { SolanaSigner, SolanaWallet } from '../src/sdk.ts';

/** A wallet of Solana with a key of its own, which sends through a node. */
export interface OwnWallet extends SolanaWallet, SolanaSigner {
  /** The node does not try it first. */
  sendUntried(transaction: Uint8Array): Promise<string>;
  /** What it was asked to send. */
  asked: Uint8Array[];
}

export const ownWallet = (rpcUrl: string): OwnWallet => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const address = toBase58(new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)));
  const asked: Uint8Array[] = [];
  const send = async (transaction: Uint8Array, skipPreflight: boolean): Promise<string> => {
    asked.push(transaction);
    const signed = Buffer.from(transaction);
    // One signature is announced by one byte, and what is signed follows it.
    signed.set(sign(null, transaction.subarray(65), privateKey), 1);
    const config = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight };
    return (await askNode(rpcUrl, 'sendTransaction', signed.toString('base64'), config)) as string;
  };
  return {
    address,
    asked,
    signText: async (text) => new Uint8Array(sign(null, new TextEncoder().encode(text), privateKey)),
    signAndSend: (transaction) => send(transaction, false),
    sendUntried: (transaction) => send(transaction, true),
  };
};

/** @throws Error with what the node refuses. */
export const askNode = async (rpcUrl: string, method: string, ...params: unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(error.message);
  return result;
};
