import type { LayerZero } from '@mintage/protocol';
import { layerZeroEndpointAbi } from '@mintage/protocol';
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  slice,
} from 'viem';
import type { DevAccounts } from '../accounts.ts';
import { rpcRequest } from '../rpc.ts';
import { createWallet, type Receipt } from '../wallet.ts';
import { artifactOf } from './artifacts.ts';
import type { Packet } from './packet.ts';

/** A local chain that messages arrive on. */
export interface RelayedChain {
  eid: number;
  /** EIP-155. */
  chainId: number;
  rpcUrl: string;
}

/** The three roles on the chain that a message goes to, as separate people play them elsewhere. */
export interface Workers {
  /** One verifier vouches for the message. */
  verify(packet: Packet, verifier: 'verifierA' | 'verifierB'): Promise<void>;
  /** Once all have, the endpoint takes it. */
  commit(packet: Packet): Promise<void>;
  /** The executor delivers it. A delivery that fails leaves the message where it is, and an alert. */
  deliver(packet: Packet): Promise<void>;
  state(packet: Packet): Promise<'unverified' | 'verified' | 'delivered'>;
}

const inboundAbi = [
  ...layerZeroEndpointAbi,
  ...parseAbi(['function lazyInboundNonce(address receiver, uint32 srcEid, bytes32 sender) view returns (uint64)']),
] as const;

/** A verification is good until here: always. */
const never = 2n ** 40n;

const receiverOf = ({ receiver }: Packet): Address => slice(receiver, 12);
const originOf = ({ srcEid, sender, nonce }: Packet) => ({ srcEid, sender, nonce });

export const workersOn = (
  { eid, chainId, rpcUrl }: RelayedChain,
  { endpoint, receiveLibrary, executor, dvns }: LayerZero,
  accounts: Pick<DevAccounts, 'layerZero' | 'verifierA' | 'verifierB'>,
  confirmations: bigint,
): Workers => {
  let wallet = createWallet(rpcUrl, chainId);

  const send = async (to: Address, data: Hex): Promise<Receipt> => {
    try {
      return await wallet.send(accounts.layerZero, { to, data, gas: 3_000_000n });
    } catch (error) {
      wallet = createWallet(rpcUrl, chainId); // its count of transactions may be wrong now
      throw error;
    }
  };
  const read = async (functionName: 'inboundPayloadHash' | 'lazyInboundNonce', args: readonly unknown[]) => {
    const data = encodeFunctionData({ abi: inboundAbi, functionName, args } as never);
    const answer = await rpcRequest(rpcUrl, 'eth_call', [{ to: endpoint, data }, 'latest']);
    return BigInt(decodeFunctionResult({ abi: inboundAbi, functionName, data: answer as Hex }));
  };

  return {
    async verify({ header, payloadHash }, verifier) {
      const { abi } = artifactOf('DVN');
      const dvn = dvns[verifier] as Address;
      const callData = encodeFunctionData({
        abi: artifactOf('ReceiveUln302').abi,
        functionName: 'verify',
        args: [header, payloadHash, confirmations],
      });
      const asked = { abi, functionName: 'hashCallData', args: [eid, receiveLibrary, callData, never] };
      const to = { to: dvn, data: encodeFunctionData(asked) };
      const raw = (await rpcRequest(rpcUrl, 'eth_call', [to, 'latest'])) as Hex;
      const signatures = await (accounts[verifier] as LocalAccount).signMessage({ message: { raw } });
      const order = { vid: eid, target: receiveLibrary, callData, expiration: never, signatures };
      await send(dvn, encodeFunctionData({ abi, functionName: 'execute', args: [[order]] }));
    },

    async commit({ header, payloadHash }) {
      const { abi } = artifactOf('ReceiveUln302');
      await send(
        receiveLibrary,
        encodeFunctionData({ abi, functionName: 'commitVerification', args: [header, payloadHash] }),
      );
    },

    async deliver(packet) {
      const { guid, message, gasLimit } = packet;
      const order = {
        receiver: receiverOf(packet),
        origin: originOf(packet),
        guid,
        message,
        extraData: '0x',
        gasLimit,
      };
      const { abi } = artifactOf('Executor');
      await send(executor, encodeFunctionData({ abi, functionName: 'execute302', args: [order] }));
    },

    async state(packet) {
      const { srcEid, sender, nonce } = packet;
      const hash = await read('inboundPayloadHash', [receiverOf(packet), srcEid, sender, nonce]);
      if (hash === BigInt(packet.payloadHash)) return 'verified';
      // The endpoint forgets what it delivered, and counts up to where nothing is missing.
      const upTo = await read('lazyInboundNonce', [receiverOf(packet), srcEid, sender]);
      return hash === 0n && nonce <= upTo ? 'delivered' : 'unverified';
    },
  };
};
