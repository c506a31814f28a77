import type { ChainSlug, Prepared, RegisterTokenAnswer, TransferTokenAnswer } from '@mintage/sdk';
import type { QueryClient } from '@tanstack/react-query';
import type { ConnectedWallet } from '../../lib/announced.ts';
import { type Api, apiOf } from '../../lib/api.ts';
import { embeddedOn } from '../../lib/onChain.ts';
import { hashIn, mayBeSent } from '../../lib/refusal.ts';
import { signedInUser } from '../../lib/session.ts';
import { askedHere, type Crossing, dropCrossing, keepCrossing } from './crossings.ts';

interface Named {
  id: string;
  /** A checked transaction names the token by it: a slug is whatever the service says. */
  address: string;
  symbol: string;
}

/** What somebody wants to send. */
export type Asked =
  | {
      kind: 'transfer';
      token: Named;
      /** Whole tokens, decimal text. */
      amount: string;
      /** Null: the sender's own wallet. */
      recipient: string | null;
      from: ChainSlug;
      to: ChainSlug;
    }
  | { kind: 'register'; token: Named; from: ChainSlug; to: ChainSlug };

/** The same with what it costs, ready to be signed. */
export interface PricedSending {
  asked: Asked;
  /** Who signs; null: the service's signer, by the embedded wallet. */
  wallet: ConnectedWallet | null;
  prepared: Prepared<'transferToken'> | Prepared<'registerToken'>;
  metadata: TransferTokenAnswer['metadata'] | RegisterTokenAnswer['metadata'];
}

/** Asks what it costs. @throws MintageError of the service. */
export const priceSending = async (
  client: QueryClient,
  asked: Asked,
  wallet: ConnectedWallet | null,
): Promise<PricedSending> => {
  const api = apiOf(client);
  const sender = wallet === null ? {} : { wallet_address: wallet.address };
  if (asked.kind === 'register') {
    const wanted = { token_id: asked.token.address, chains: [asked.to], ...sender };
    const answer = await api.registerToken(wanted);
    return {
      asked,
      wallet,
      prepared: { operation: 'registerToken', asked: wanted, answer },
      metadata: answer.metadata,
    };
  }
  const recipient = asked.recipient ?? wallet?.address ?? (await embeddedAddress(client, asked.to));
  const wanted = {
    token_id: asked.token.address,
    recipient_address: recipient,
    amount: asked.amount,
    from_chain_slug: asked.from,
    to_chain_slug: asked.to,
    ...sender,
  };
  const answer = await api.transferToken(wanted);
  return { asked, wallet, prepared: { operation: 'transferToken', asked: wanted, answer }, metadata: answer.metadata };
};

const embeddedAddress = async (client: QueryClient, slug: string): Promise<string> => {
  const { data } = await apiOf(client).me({ include_testnets: true });
  const own = embeddedOn(data.wallets, slug);
  if (own === undefined) throw new Error('This account has no wallet.');
  return own.address;
};

/**
 * Signs and sends it: by the browser's wallet once every byte was held against what was asked, or by the embedded one, which pays no
 * more than was shown.
 *
 * @param onSent - Called once it is on its way: its row says what becomes of it.
 * @throws MintageError of the SDK or the service.
 */
export const sendPriced = async (
  client: QueryClient,
  { asked, wallet, prepared }: PricedSending,
  onSent: () => void,
): Promise<void> => {
  const api = apiOf(client);
  const crossing: Crossing = {
    id: crypto.randomUUID(),
    userId: signedInUser(),
    chain: asked.from,
    to: asked.to,
    tokenId: asked.token.id,
    symbol: asked.token.symbol,
    amount: asked.kind === 'transfer' ? asked.amount : null,
    hash: null,
  };
  try {
    const hash = await (wallet === null
      ? byService(api, prepared, crossing)
      : byWallet(api, prepared, wallet, crossing, onSent));
    keepCrossing({ ...crossing, hash });
    onSent();
  } catch (error) {
    const hash = hashIn(error);
    if (hash !== undefined) keepCrossing({ ...crossing, hash });
    else if (!mayBeSent(error)) dropCrossing(crossing.id);
    throw error;
  }
};

/** Kept before the wallet is asked: the page may be closed while its person thinks. */
const byWallet = async (
  api: Api,
  prepared: PricedSending['prepared'],
  wallet: ConnectedWallet,
  crossing: Crossing,
  onSent: () => void,
): Promise<string | null> => {
  const { executeHere } = await import('../../lib/signing.ts');
  const { transactions } = await executeHere(api, prepared, wallet, {
    onSent: (sent) => {
      keepCrossing(sent.hash === null ? { ...crossing, asked: { prepared, sent } } : { ...crossing, hash: sent.hash });
      if (sent.hash !== null) onSent();
    },
  });
  return transactions.at(-1)?.hash ?? null;
};

/** The embedded wallet pays no more than was shown. */
const byService = async (api: Api, prepared: PricedSending['prepared'], crossing: Crossing): Promise<string> => {
  const callKey = crypto.randomUUID();
  const options = { idempotencyKey: callKey };
  askedHere.add(crossing.id);
  keepCrossing({ ...crossing, callKey });
  try {
    if (prepared.operation === 'registerToken')
      return (await api.registerToken({ ...prepared.asked, execute: true }, options)).transactionHash;
    const { metadata } = prepared.answer;
    const most = 'nativeFeeMax' in metadata ? { max_native_fee: metadata.nativeFeeMax } : {};
    return (await api.transferToken({ ...prepared.asked, execute: true, ...most }, options)).transactionHash;
  } finally {
    askedHere.delete(crossing.id);
  }
};
