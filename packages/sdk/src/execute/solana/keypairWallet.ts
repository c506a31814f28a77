import { invalid, MintageError, toBase58 } from '@mintage/protocol';
import type { SolanaSigner } from '../../auth/signer.ts';
import type { SolanaWallet } from './solanaWallet.ts';

/** PKCS #8 of a key of ed25519, up to its 32 bytes. */
const keyForm = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
/** Where what is signed begins: behind the number of signatures and the one. */
const messageAt = 65;
/** How a node refuses what fails when it tries it: nothing was sent then. */
const triedInVain = -32_002;

/**
 * A wallet of Solana of whoever has its key: for scripts and servers, which send through a node of their own choice.
 *
 * @param keypair - The 64 bytes of a key pair, as `solana-keygen` writes them: the secret ones, then the public ones.
 * @param rpcUrl - Of the node by cluster.
 * @throws MintageError INVALID_PARAMETERS for bytes that are no key pair.
 */
export const keypairWallet = async (
  keypair: Uint8Array,
  rpcUrl: (chainSlug: string) => string,
): Promise<SolanaWallet & SolanaSigner> => {
  const { subtle } = globalThis.crypto;
  if (keypair.length !== 64) throw invalid('keypair', 'must be 64 bytes');
  const [secret, publicBytes] = [keypair.slice(0, 32), keypair.slice(32)];
  const key = await subtle.importKey('pkcs8', Uint8Array.from([...keyForm, ...secret]), 'Ed25519', false, ['sign']);
  const sign = async (bytes: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(bytes)));
  const verifier = await subtle.importKey('raw', publicBytes, 'Ed25519', false, ['verify']);
  const isPair = await subtle.verify('Ed25519', verifier, Uint8Array.from(await sign(publicBytes)), publicBytes);
  if (!isPair) throw invalid('keypair', 'has a public half that does not belong to the secret one');
  return {
    address: toBase58(publicBytes),
    signText: (text) => sign(new TextEncoder().encode(text)),
    async signAndSend(transaction, chainSlug, tell) {
      const whole = Uint8Array.from(transaction);
      const bytes = await sign(transaction.subarray(messageAt));
      whole.set(bytes, 1);
      const signature = toBase58(bytes);
      await tell?.(signature);
      await send(rpcUrl(chainSlug), btoa(String.fromCharCode(...whole)));
      // It is known without the node, which could name another one.
      return signature;
    },
  };
};

/** @throws MintageError TRANSACTION_FAILED where the node tried it and it fails; any other error leaves open whether it was sent. */
const send = async (url: string, transactionBase64: string): Promise<void> => {
  const params = [transactionBase64, { encoding: 'base64', preflightCommitment: 'confirmed' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { error } = (await response.json()) as { error?: NodeError };
  // A gateway that asks a second node after the first has taken it hears this.
  if (error === undefined || error.data?.err === 'AlreadyProcessed') return;
  if (error.code === triedInVain) throw new MintageError('TRANSACTION_FAILED', error.message);
  throw new Error(error.message);
};

interface NodeError {
  code: number;
  message: string;
  data?: { err?: unknown };
}
