import {
  crossingAmountDown,
  type Eid,
  type EvmDeployment,
  layerZeroEndpointAbi,
  layerZeroLibraryAbi,
  layerZeroPriceAbi,
  requireHex,
  tokenBridgeAbi,
} from '@mintage/protocol';
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  concat,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  pad,
  parseAbiParameters,
  toEventSelector,
  zeroAddress,
  zeroHash,
} from 'viem';
import type { Bridge, Crossing, MessagePath, TokenOrigin } from '../bridge.ts';
import type { Rpc } from '../rpc.ts';
import { addressOf, arrayOf, fieldsOf, hexOf } from './answers.ts';
import { suppliesReader } from './booksReader.ts';
import { call, getTransactionReceipt } from './calls.ts';
import { gasBounds } from './gas.ts';

/** The bridge of a deployment that has one. Source: ITokenBridge. */
export const bridgeOn = (rpc: Rpc, eid: Eid, deployment: EvmDeployment): Bridge | null => {
  const { tokenBridge, layerZeroEndpoint } = deployment;
  if (tokenBridge === null || layerZeroEndpoint === null) return null;

  const view = async <const A extends Abi, Name extends ContractFunctionName<A, 'view'>>(
    to: Hex,
    asked: { abi: A; functionName: Name; args: ContractFunctionArgs<A, 'view', Name> },
  ): Promise<ContractFunctionReturnType<A, 'view', Name>> => {
    const data = await rpc.request(call({ to, data: encodeFunctionData(asked as never) }, 'latest'));
    return decodeFunctionResult({ ...asked, data } as never) as never;
  };
  const read = <Name extends ContractFunctionName<typeof tokenBridgeAbi, 'view'>>(
    functionName: Name,
    args: ContractFunctionArgs<typeof tokenBridgeAbi, 'view', Name>,
  ) => view(tokenBridge, { abi: tokenBridgeAbi, functionName, args });
  const sendLibrary = (dstEid: Eid): Promise<Hex> =>
    view(layerZeroEndpoint, { abi: layerZeroEndpointAbi, functionName: 'getSendLibrary', args: [tokenBridge, dstEid] });
  const peer = pad(tokenBridge, { size: 32 });

  /** What the endpoint keeps of a verified message until it is delivered. */
  const payloadHash = ({ srcEid, nonce }: MessagePath): Promise<Hex> => {
    const args = [tokenBridge, srcEid, peer, BigInt(nonce)] as const;
    return view(layerZeroEndpoint, { abi: layerZeroEndpointAbi, functionName: 'inboundPayloadHash', args });
  };

  return {
    async terms(crossing) {
      const { token, dstEid, amount } = crossing;
      const [route, [, sendable]] = await Promise.all([
        read('routeOf', [dstEid]),
        read('pathOf', [requireHex(token), dstEid]),
      ]);
      if (!route.open) return { route: 'none' };
      if (route.paused) return { route: 'paused' };
      const isTaken = crossingAmountDown(amount) <= sendable;
      return { route: 'open', sendable, nativeFee: isTaken ? await read('quote', [transferOf(crossing)]) : null };
    },

    async confirmations(dstEid) {
      const asked = { abi: layerZeroLibraryAbi, functionName: 'getAppUlnConfig', args: [tokenBridge, dstEid] } as const;
      return Number((await view(await sendLibrary(dstEid), asked)).confirmations);
    },

    async inUsdUp(native, dstEid) {
      const abi = layerZeroPriceAbi;
      const asked = {
        abi: layerZeroLibraryAbi,
        functionName: 'getExecutorConfig',
        args: [tokenBridge, dstEid],
      } as const;
      const { executor } = await view(await sendLibrary(dstEid), asked);
      const feed = await view(executor, { abi, functionName: 'priceFeed', args: [] });
      const [price, denominator] = await Promise.all([
        view(feed, { abi, functionName: 'nativeTokenPriceUSD', args: [] }),
        view(feed, { abi, functionName: 'getPriceRatioDenominator', args: [] }),
      ]);
      return price === 0n ? null : usdUp(native, price, denominator);
    },

    async announceFees({ name, symbol }, dstEids) {
      const routes = await Promise.all(dstEids.map((eid) => read('routeOf', [eid])));
      const open = dstEids.filter((_, i) => routes[i]?.open === true && !routes[i]?.paused);
      const fees = await read('quoteAnnounce', [name, symbol, open]);
      return dstEids.map((eid) => fees[open.indexOf(eid)] ?? null);
    },

    send(sender, crossing, value) {
      const args = [transferOf(crossing), requireHex(sender)] as const;
      const data = encodeFunctionData({ abi: tokenBridgeAbi, functionName: 'send', args });
      const gasBound = crossing.registers === null ? gasBounds.crossing : gasBounds.registration;
      return { call: { to: tokenBridge, data, value }, gasBound };
    },

    announce(token, { creator, salt }, dstEids, value) {
      const args = [requireHex(token), requireHex(creator), salt, dstEids] as const;
      const data = encodeFunctionData({ abi: tokenBridgeAbi, functionName: 'announce', args });
      const gasBound = gasBounds.announce + gasBounds.announceChain * BigInt(dstEids.length);
      return { call: { to: tokenBridge, data, value }, gasBound };
    },

    supplies: suppliesReader(rpc, eid, deployment, tokenBridge),

    async messageSent(txHash, guid) {
      const receipt = await rpc.request(getTransactionReceipt(txHash));
      const payloads = (receipt?.logs ?? []).flatMap((log) => payloadIn(log, layerZeroEndpoint));
      return payloads.find((payload) => payload.guid === guid)?.message ?? null;
    },

    isWaiting: async (path) => (await payloadHash(path)) !== zeroHash,

    async deliver(path, guid, message) {
      if ((await payloadHash(path)) !== keccak256(concat([guid as Hex, message]))) return null;
      const { srcEid, nonce } = path;
      const origin = { srcEid, sender: peer, nonce: BigInt(nonce) };
      const args = [origin, tokenBridge, guid as Hex, message, '0x'] as const;
      const data = encodeFunctionData({ abi: layerZeroEndpointAbi, functionName: 'lzReceive', args });
      return { call: { to: layerZeroEndpoint, data }, gasBound: gasBounds.delivery };
    },
  };
};

/** Base units of a coin with 18 decimals, as on every EVM chain, in dollars of 10⁻⁶. */
const usdUp = (native: bigint, price: bigint, denominator: bigint): bigint => {
  const divisor = denominator * 10n ** 12n;
  return (native * price + divisor - 1n) / divisor;
};

const transferOf = ({ token, dstEid, recipient, amount, registers }: Crossing) => {
  const { creator, salt }: TokenOrigin = registers ?? { creator: zeroAddress, salt: zeroHash };
  return {
    token: requireHex(token),
    dstEid: dstEid as number,
    to: pad(requireHex(recipient), { size: 32 }),
    amount,
    register: registers !== null,
    creator: requireHex(creator),
    salt,
  };
};

const packetSent = toEventSelector('PacketSent(bytes,bytes,address)');
/** Before the message, a packet has its header of 81 bytes and the guid. Source: PacketV1Codec. */
const [guidAt, messageAt] = [81, 113];

const payloadIn = (value: unknown, endpoint: Hex): { guid: Hex; message: Hex }[] => {
  const log = fieldsOf(value);
  const [topic] = arrayOf(log.topics);
  if (addressOf(log.address) !== endpoint || topic !== packetSent) return [];
  const [encodedPayload] = decodeAbiParameters(parseAbiParameters('bytes, bytes, address'), hexOf(log.data));
  const digits = encodedPayload.slice(2);
  return [{ guid: `0x${digits.slice(2 * guidAt, 2 * messageAt)}`, message: `0x${digits.slice(2 * messageAt)}` }];
};
