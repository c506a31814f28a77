import type { RpcLog } from 'viem';
import { decodeAbiParameters, type Hex, keccak256, parseAbiParameters, slice, sliceHex, toEventSelector } from 'viem';

/** A message as the endpoint sent it. Source: PacketV1Codec. */
export interface Packet {
  srcEid: number;
  dstEid: number;
  nonce: bigint;
  /** Sender and receiver, as 32 bytes. */
  sender: Hex;
  receiver: Hex;
  guid: Hex;
  message: Hex;
  /** What verifiers sign: all before the guid, and the hash of the rest. */
  header: Hex;
  payloadHash: Hex;
  /** Of the delivery, as the sender asked for it. */
  gasLimit: bigint;
}

export const packetSent = toEventSelector('PacketSent(bytes,bytes,address)');

export const packetOf = ({ data }: Pick<RpcLog, 'data'>): Packet => {
  const [encoded, options] = decodeAbiParameters(parseAbiParameters('bytes, bytes, address'), data);
  const payload = slice(encoded, 81);
  return {
    nonce: BigInt(sliceHex(encoded, 1, 9)),
    srcEid: Number(sliceHex(encoded, 9, 13)),
    sender: sliceHex(encoded, 13, 45),
    dstEid: Number(sliceHex(encoded, 45, 49)),
    receiver: sliceHex(encoded, 49, 81),
    guid: sliceHex(payload, 0, 32),
    message: slice(payload, 32),
    header: sliceHex(encoded, 0, 81),
    payloadHash: keccak256(payload),
    gasLimit: gasLimitIn(options),
  };
};

const executorWorker = 1;
const deliveryOption = 1;

/**
 * The gas that options of type 3 give the delivery, all of them together: after the type (2 bytes) each option has its worker
 * (1), its length (2), its kind (1) and for a delivery the gas (16).
 */
export const gasLimitIn = (options: Hex): bigint => {
  const bytes = Buffer.from(options.slice(2), 'hex');
  let gas = 0n;
  for (let at = 2; at + 4 <= bytes.length; ) {
    const length = bytes.readUInt16BE(at + 1);
    if (bytes[at] === executorWorker && bytes[at + 3] === deliveryOption)
      gas += BigInt(`0x${bytes.subarray(at + 4, at + 20).toString('hex')}`);
    at += 3 + length;
  }
  return gas;
};
