import {
  encodeApprove,
  encodeCreate,
  encodeOrder,
  layerZeroEndpointAbi,
  tokenAddressOf,
  tokenBridgeAbi,
} from '@mintage/protocol';
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  type LocalAccount,
  pad,
  parseEventLogs,
  stringToHex,
  zeroAddress,
} from 'viem';
import type { DevChain } from '../src/devnet.ts';
import { createWallet } from '../src/wallet.ts';

/** Moves a launched token between local chains by its bridge, and counts what is where. Amounts are base units. */
export interface CrossingToken {
  address: Address;
  home: DevChain;
  holder: LocalAccount;
  salt: Hex;
}

const forever = 2n ** 40n;
export const wholeSupply = 10n ** 27n;

/** A token of `home`, of which `alice` has bought some. */
export const launchToken = async (home: DevChain, name: string): Promise<CrossingToken> => {
  const { alice: holder } = home.accounts;
  const { launchpad, usd } = home.deployment;
  const salt = keccak256(stringToHex(name));
  const wallet = walletOn(home);
  const send = (to: Address, data: Hex) => wallet.send(holder, { to, data });
  await send(
    launchpad,
    encodeCreate({ name, symbol: 'BOAT', uri: 'ipfs://boat', salt, poolType: 7, deadline: forever }),
  );
  await home.advance(10);
  await send(usd, encodeFunctionData({ abi: mintAbi, functionName: 'mint', args: [holder.address, 10n ** 12n] }));
  await send(usd, encodeApprove(launchpad, 10n ** 12n));
  const address = tokenAddressOf(home.deployment, holder.address, salt);
  await send(
    launchpad,
    encodeOrder('buyExactIn', {
      token: address,
      amount: 10n ** 9n,
      limit: 0n,
      recipient: holder.address,
      builder: zeroAddress,
      builderBps: 0n,
      referral: zeroAddress,
      deadline: forever,
    }),
  );
  return { address, home, holder, salt };
};

const mintAbi = [
  {
    type: 'function',
    name: 'mint',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [],
  },
] as const;

/** One that counts from what the chain holds now: a reorganisation takes transactions away. */
const walletOn = ({ rpcUrl, chain }: DevChain) => createWallet(rpcUrl, chain.chainId);

const bridgeOf = ({ deployment }: DevChain): Address => deployment.tokenBridge as Address;

const call = async (chain: DevChain, to: Address, data: Hex, block = 'latest'): Promise<Hex> =>
  (await chain.rpc('eth_call', [{ to, data }, block])) as Hex;

/** Sends tokens, with a registration from the home, to `to` there (the holder when absent). */
export const sendAcross = async (
  token: CrossingToken,
  from: DevChain,
  to: DevChain,
  amount: bigint,
  recipient: Address = token.holder.address,
): Promise<{ guid: Hex; nonce: bigint; amount: bigint; fee: bigint }> => {
  const register = from === token.home;
  const transfer = {
    token: token.address,
    dstEid: to.chain.eid as number,
    to: pad(recipient, { size: 32 }),
    amount,
    register,
    creator: register ? token.holder.address : zeroAddress,
    salt: register ? token.salt : pad('0x', { size: 32 }),
  };
  const quote = encodeFunctionData({ abi: tokenBridgeAbi, functionName: 'quote', args: [transfer] });
  const fee = BigInt(await call(from, bridgeOf(from), quote));
  const data = encodeFunctionData({
    abi: tokenBridgeAbi,
    functionName: 'send',
    args: [transfer, token.holder.address],
  });
  const receipt = await walletOn(from).send(token.holder, { to: bridgeOf(from), data, value: fee });
  const [event] = parseEventLogs({ abi: tokenBridgeAbi, eventName: 'TokenSent', logs: receipt.logs as never });
  if (event === undefined) throw new Error('nothing was sent');
  const { guid, nonce } = event.args;
  return { guid, nonce, amount: event.args.amount, fee };
};

/** Zero where the token is not. */
export const balanceOn = async (chain: DevChain, token: Address, wallet: Address): Promise<bigint> =>
  readToken(chain, token, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }));

export const supplyOn = async (chain: DevChain, token: Address, block?: string): Promise<bigint> =>
  readToken(chain, token, encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' }), block);

const readToken = async (chain: DevChain, token: Address, data: Hex, block?: string): Promise<bigint> => {
  const answer = await call(chain, token, data, block);
  return answer === '0x' ? 0n : BigInt(answer);
};

/** What is on another chain, by the count of the home. */
export const outOn = async (token: CrossingToken, other: DevChain, block?: string): Promise<bigint> => {
  const args = [token.address, other.chain.eid as number] as const;
  const data = encodeFunctionData({ abi: tokenBridgeAbi, functionName: 'pathOf', args });
  const answer = await call(token.home, bridgeOf(token.home), data, block);
  return decodeFunctionResult({ abi: tokenBridgeAbi, functionName: 'pathOf', data: answer })[0];
};

/**
 * Supply at home and what is out make the whole; elsewhere there is never more than is out. The home is read at one block,
 * because messages may arrive meanwhile.
 */
export const brokenInvariants = async (token: CrossingToken, others: readonly DevChain[]): Promise<string[]> => {
  const block = (await token.home.rpc('eth_blockNumber')) as string;
  const outs = await Promise.all(others.map((other) => outOn(token, other, block)));
  const atHome = await supplyOn(token.home, token.address, block);
  const supplies = await Promise.all(others.map((other) => supplyOn(other, token.address)));
  const total = outs.reduce((sum, out) => sum + out, atHome);
  return [
    ...(total === wholeSupply ? [] : [`I1: home ${atHome} and out ${outs} are ${total}`]),
    ...outs.flatMap((out, i) => ((supplies[i] as bigint) <= out ? [] : [`I3: ${supplies[i]} of ${out} on chain ${i}`])),
  ];
};

/** Blocks until messages count as final. */
export const confirm = async (chains: readonly DevChain[], blocks: number): Promise<void> => {
  await Promise.all(chains.map((chain) => chain.rpc('anvil_mine', [`0x${blocks.toString(16)}`])));
};

/** Whether the endpoint holds a message that is verified and not delivered. */
export const isWaiting = async (from: DevChain, to: DevChain, nonce: bigint): Promise<boolean> => {
  const { layerZeroEndpoint } = to.deployment;
  const peer = pad(bridgeOf(from), { size: 32 });
  const args = [bridgeOf(to), from.chain.eid as number, peer, nonce] as const;
  const data = encodeFunctionData({ abi: layerZeroEndpointAbi, functionName: 'inboundPayloadHash', args });
  return BigInt(await call(to, layerZeroEndpoint as Address, data)) !== 0n;
};
