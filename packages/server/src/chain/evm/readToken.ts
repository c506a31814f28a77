import { type EvmDeployment, requireHex, tokenCodeOf } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type Hex, keccak256 } from 'viem';
import type { At } from '../agreement.ts';
import type { ChainClient, TokenContract } from '../chainClient.ts';
import { ChainDownError, type Node, type Rpc } from '../rpc.ts';
import { call, getBlock, getCode } from './calls.ts';

/** A reading is shown again for so long, milliseconds: code never changes, and the supply only when tokens cross chains. */
const keptMs = 10_000;
const mostKept = 1_000;

/** `ChainClient.readToken`: what many people look at is read once. */
export const tokenReader = (
  rpc: Pick<Rpc, 'agreedAtHead'>,
  deployment: EvmDeployment,
  now: () => number,
): ChainClient['readToken'] => {
  const kept = new Map<Hex, { reading: Promise<TokenContract>; untilMs: number }>();
  return (address) => {
    const token = requireHex(address);
    const last = kept.get(token);
    if (last !== undefined && now() < last.untilMs) return last.reading;
    const reading = readToken(rpc, deployment, token);
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value as Hex);
    kept.set(token, { reading, untilMs: now() + keptMs });
    reading.catch(() => kept.delete(token));
    return reading;
  };
};

const readToken = async (
  rpc: Pick<Rpc, 'agreedAtHead'>,
  deployment: EvmDeployment,
  token: Hex,
): Promise<TokenContract> => {
  const implementation = deployment.tokenImplementation;
  const { answer } = await rpc.agreedAtHead((node, at) => askToken(node, at, token, implementation));
  return {
    block: answer.block,
    code: {
      hash: answer.codeHash,
      publishedHash: keccak256(tokenCodeOf(implementation)),
      implementation: {
        address: implementation,
        hash: answer.implementationHash,
        publishedHash: deployment.codeHashes.LaunchToken ?? null,
      },
    },
    supply: answer.supply,
  };
};

const askToken = async (node: Node, at: At, token: Hex, implementation: Hex) => {
  const shown = await node.request(getBlock(at));
  if (shown === null) throw new ChainDownError('The provider does not have the block.');
  const block = shown.number;
  const [code, implementationCode, supply] = await node.batch([
    getCode(token, block),
    getCode(implementation, block),
    call({ to: token, data: totalSupplyCall }, block),
  ]);
  return {
    block,
    codeHash: keccak256(code),
    implementationHash: keccak256(implementationCode),
    // Without a contract there the answer is empty.
    supply: supply === '0x' ? 0n : BigInt(supply),
  };
};

const totalSupplyCall = encodeFunctionData({ abi: erc20Abi, functionName: 'totalSupply' });
