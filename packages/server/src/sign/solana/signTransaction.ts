import { toBase58 } from '@mintage/protocol';
import { readMessage } from '@mintage/protocol/solana';
import { bytesOf, hexOf } from '../../chain/solana/bytes.ts';
import { messageAgain, signedTransaction } from '../../chain/solana/message/compile.ts';
import { coinTransfer } from '../../chain/solana/tryCall.ts';
import type { Tx } from '../context.ts';
import type { StepBytes } from '../policy/policy.ts';
import type { NewAttempt } from '../signingLog/newAttempt.ts';
import type { SolanaLane } from './chainAccess.ts';
import type { ChainState } from './chainState.ts';
import { isPayment } from './readActions.ts';
import type { WalletKey } from './walletKey.ts';

/** The step's transaction, signed for a lifetime that begins now. @throws Error for one that another wallet pays for. */
export const signStep = (
  lane: Pick<SolanaLane, 'wallet'>,
  key: WalletKey,
  step: StepBytes,
  state: ChainState,
): NewAttempt => {
  const { data } = isPayment(step) ? coinTransfer(lane.wallet, step) : step;
  return signTransaction(lane, key, data, state);
};

/** A transaction, signed or not, with a signature and lifetime of its own. @throws Error for one that another wallet pays for. */
export const signTransaction = (
  { wallet }: Pick<SolanaLane, 'wallet'>,
  key: WalletKey,
  transaction: `0x${string}`,
  { blockhash, head, validUntil }: ChainState,
): NewAttempt => {
  const message = messageAgain(bytesOf(transaction), blockhash);
  if (readMessage(message).payer !== wallet) throw new Error(`The transaction is not one that ${wallet} pays for.`);
  const signature = key.sign(message);
  return {
    // A signature is the hash of its transaction.
    hash: toBase58(signature),
    raw: hexOf(signedTransaction(message, signature)),
    nonce: null,
    kind: 'call',
    fees: null,
    signedBlock: head,
    validUntilBlock: validUntil,
  };
};

/** Two transactions that do the same with the same lifetime are one to the chain: the later one waits for a newer blockhash. */
export const isKnown = async (tx: Tx, { chain }: SolanaLane, { hash }: Pick<NewAttempt, 'hash'>): Promise<boolean> => {
  const same = tx.selectFrom('attempt').select('hash').where('eid', '=', chain.eid).where('hash', '=', hash);
  return (await same.executeTakeFirst()) !== undefined;
};
