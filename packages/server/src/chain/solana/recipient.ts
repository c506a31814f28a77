import { type Address, requireBase58 } from '@mintage/protocol';
import { isOnCurve, keyBytes, readPrepared, readTransaction, wellKnown } from '@mintage/protocol/solana';
import type { ChainClient, Inspection } from '../chainClient.ts';
import { tokenAccountIn } from './accounts.ts';
import { bytesOf } from './bytes.ts';
import type { Launchpad } from './launchpad.ts';
import { type Account, getMultipleAccounts } from './rpc/calls.ts';
import type { createSolanaRpc } from './rpc/solanaRpc.ts';

export const inspectRecipient = async (
  rpc: Pick<ReturnType<typeof createSolanaRpc>, 'request'>,
  { program }: Launchpad,
  address: Address,
): Promise<Inspection> => {
  const key = requireBase58(address);
  const { value } = await rpc.request(getMultipleAccounts([key], 'latest'));
  const account = value[0] ?? null;
  const wall = account && wallIn(account, program);
  if (wall !== null || isOnCurve(keyBytes(key))) return { wall, doubt: null };
  return {
    wall,
    doubt:
      account === null
        ? 'an address that has no key, off the curve, and no account either'
        : 'an address that has no key, off the curve: only a program can send this on',
  };
};

const wallIn = (account: Account, program: string): string | null => {
  if (loaders.has(account.owner)) return 'a program';
  if (account.owner === program) return 'an account of the launchpad of this service';
  if (account.owner === sysvars) return 'a sysvar';
  if (account.owner !== wellKnown.token && account.owner !== wellKnown.token2022) return null;
  return tokenAccountIn(account) === null ? 'the mint of a token' : 'a token account, and not the wallet that owns it';
};

/** Their accounts are programs, and what belongs to these. */
const loaders: ReadonlySet<string> = new Set([
  'NativeLoader1111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  wellKnown.upgradeableLoader,
]);
const sysvars = 'Sysvar1111111111111111111111111111111111111';

export const paidByOn =
  ({ program }: Launchpad): ChainClient['paidBy'] =>
  ({ to, data }) => {
    if (data === '0x') return [to];
    try {
      const { payer, opens } = readPrepared(readTransaction(bytesOf(data)).message, program);
      return opens.map(({ owner }) => owner).filter((owner) => owner !== payer);
    } catch {
      return []; // none that this service prepared, which the signer refuses
    }
  };
