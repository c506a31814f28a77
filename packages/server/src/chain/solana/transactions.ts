import { type Address, type Hash, MintageError, type ReadArgs, type ReadCall, type ReadEvent } from '@mintage/protocol';
import { decodeEvent, decodeInstruction, instructions, wellKnown } from '@mintage/protocol/solana';
import { base58btc } from 'multiformats/bases/base58';
import { unknownToOne } from '../agreement.ts';
import type { ChainClient } from '../chainClient.ts';
import type { Node, Rpc } from '../rpc.ts';
import type { Launchpad } from './launchpad.ts';
import { transactionRefusal } from './refusal.ts';
import { getTransaction, type Instruction, type Sent } from './rpc/calls.ts';

/** Transactions that were sent, as far as confirmed blocks hold them: what waits for a block no provider shows. */

const look = (node: Node, hash: Hash): Promise<Sent | null> => node.request(getTransaction(hash));

/** `ChainClient.findTransaction`. */
export const findTransaction = async (
  { rpc, slug }: { rpc: Pick<Rpc, 'agreed'>; slug: string },
  ...[hash, wallets]: Parameters<ChainClient['findTransaction']>
): ReturnType<ChainClient['findTransaction']> => {
  /** Whether some provider shows the transaction as sent by one of the wallets. */
  let isShown = false;
  const ask = async (node: Node): Promise<Sent | null> => {
    const sent = await look(node, hash);
    const isOwn = sent?.signers.some((signer) => wallets.includes(signer)) === true;
    isShown ||= isOwn;
    return isOwn ? sent : null;
  };
  try {
    const { answer, isAlone } = await rpc.agreed(ask, { aloneWillDo: true });
    if (!isAlone) return answer && { blockNumber: answer.slot, whyReverted: whyFailed(answer) };
    if (answer !== null || isShown) return 'unsure';
    throw unknownToOne(slug);
  } catch (error) {
    if (isShown && error instanceof MintageError && error.code === 'NETWORK_ERROR') return 'unsure';
    throw error;
  }
};

/** `ChainClient.readTransaction`. */
export const readTransaction = async (
  { rpc, slug }: { rpc: Pick<Rpc, 'agreed'>; slug: string },
  launchpad: Launchpad,
  ...[hash]: Parameters<ChainClient['readTransaction']>
): ReturnType<ChainClient['readTransaction']> => {
  const { answer, isAlone } = await rpc.agreed((node) => look(node, hash), { aloneWillDo: true });
  if (answer === null && isAlone) throw unknownToOne(slug);
  if (answer === null) return null;
  const { slot, time, signers, fee, payer } = answer;
  const { events, others } = eventsIn(launchpad, answer);
  const spent = payer[0] - payer[1] - fee;
  return {
    block: { number: slot, hash: null, time: time ?? 0 },
    from: signers[0] as Address,
    to: called(launchpad, answer),
    value: spent > 0n ? spent : 0n,
    feePaid: fee,
    whyReverted: whyFailed(answer),
    calls: answer.instructions.filter(({ program }) => program === launchpad.program).map(callOf),
    events,
    otherEvents: others,
    isAlone,
  };
};

const whyFailed = ({ error }: Sent): (() => Promise<string>) | null =>
  error === null ? null : async () => transactionRefusal(error).message;

/** The launchpad where it is called; else the first program that is more than a setting. */
const called = ({ program }: Launchpad, { instructions: list }: Sent): Address | null => {
  const programs = list.map((one) => one.program);
  if (programs.includes(program)) return program;
  return programs.find((one) => one !== wellKnown.computeBudget) ?? null;
};

const callOf = ({ program, data }: Instruction): ReadCall => {
  const decoded = decodeInstruction(bytesIn(data));
  return { to: program, function: decoded?.name ?? null, args: argsOf(decoded?.args ?? {}) };
};

/** The program's calls to itself, in the order in which they ran: only its own accounts can sign them. */
const eventsIn = ({ program }: Launchpad, { inner }: Sent): { events: ReadEvent[]; others: number } => {
  const ran = [...inner]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, list]) => list)
    .filter((one) => one.program === program && bytesIn(one.data)[0] === instructions.event.tag);
  const read = ran.map(({ data }) => decodeEvent(bytesIn(data)));
  const events = read.flatMap((one, logIndex): ReadEvent[] => {
    if (one === null) return [];
    const { event, seq, ...args } = one;
    return [{ address: program, logIndex, event, args: argsOf({ ...args, seq }) }];
  });
  return { events, others: ran.length - events.length };
};

const bytesIn = (data: string): Uint8Array => (data === '' ? new Uint8Array() : base58btc.baseDecode(data));

const argsOf = (values: Readonly<Record<string, unknown>>): ReadArgs =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
