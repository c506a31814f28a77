import { type Base58, requireBase58 } from '@mintage/protocol';
import type { ChainClient, PreparedCall } from '../chainClient.ts';
import { gasLimitOf, requireSuccess } from '../outcome.ts';
import type { Rpc } from '../rpc.ts';
import { hexOf } from './bytes.ts';
import { type Launchpad } from './launchpad.ts';
import { compileMessage, unsignedTransaction } from './message/compile.ts';
import { transferLamports } from './message/instructions.ts';
import { requireCountable } from './prepare/countable.ts';
import { getSlot } from './rpc/calls.ts';
import { askPatiently } from './rpc/solanaRpc.ts';
import { simulate } from './simulate.ts';

/** `ChainClient.tryCall`. A call without data sends lamports; any other is a whole transaction. */
export const tryCall = async (
  { rpc, launchpad }: { rpc: Rpc; launchpad: Launchpad },
  ...[wallet, call, openAt]: Parameters<ChainClient['tryCall']>
): ReturnType<ChainClient['tryCall']> => {
  requireCountable(call.value ?? 0n);
  const blockNumber = await newestSlot(rpc);
  const before = await openAt(blockNumber);
  const whole = call.data === '0x' ? coinTransfer(requireBase58(wallet), call) : call;
  const outcome = await simulate({ rpc, launchpad }, wallet, [whole], {
    blockNumber,
    before: before.map((one) => (one.data === '0x' ? coinTransfer(requireBase58(wallet), one) : one)),
  });
  requireSuccess(outcome);
  return { gasLimit: gasLimitOf((outcome as { gasUsed: bigint }).gasUsed), blockNumber };
};

/** The transaction of a call that only sends lamports; any blockhash will do for its trial. */
export const coinTransfer = (wallet: Base58, { to, value = 0n }: PreparedCall, blockhash = wallet): PreparedCall => ({
  to,
  data: hexOf(
    unsignedTransaction(compileMessage(wallet, [transferLamports(wallet, requireBase58(to), value)], blockhash)),
  ),
});

/** The newest slot that two providers have. */
const newestSlot = async (rpc: Rpc): Promise<number> => {
  const { answer } = await rpc.agreedAtHead(async (node, at) => ({ block: await askPatiently(node, getSlot(at)) }), {
    same: () => true, // close to each other, which is all that is asked
  });
  return answer.block;
};
