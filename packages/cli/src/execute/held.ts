import type { TokenAbout } from '@mintage/sdk';
import { createPublicClient, erc20Abi, formatUnits } from 'viem';
import { Failure } from '../failure.ts';
import { addressOf } from '../output/addressOf.ts';
import type { Shell } from '../shell.ts';
import type { ExecuteFlags } from './carryOut.ts';
import { embeddedAddress } from './embedded.ts';
import { familyOf } from './family.ts';
import { ownAccount, ownAddress } from './ownWallet.ts';
import { providers } from './provider.ts';

interface Asked {
  token: TokenAbout;
  chainSlug: string | null;
  /** A number of tokens, or a part of what is held: `50%`. */
  amount: string;
}

/** Whole tokens as decimal text; a part is of what the wallet that signs holds now, rounded down. */
export const heldAmount = async (shell: Shell, flags: ExecuteFlags, asked: Asked): Promise<string> => {
  const share = /^(\d+)%$/.exec(asked.amount)?.[1];
  if (share === undefined) return asked.amount;
  const heldWei = flags.execute ? await embeddedHolds(shell, asked) : await ownHolds(shell, flags, asked);
  const wei = (heldWei * BigInt(share)) / 100n;
  if (wei === 0n) throw new Failure('refused', `The wallet holds no ${asked.token.symbol} on ${asked.chainSlug}.`);
  return formatUnits(wei, tokenDecimalsOf(asked.token));
};

/** Of the token at home, which it has wherever it crosses to. */
export const tokenDecimalsOf = ({ token_addresses: [home] }: TokenAbout): number => {
  if (home === undefined) throw new Error('a token has an address at home');
  return home.decimals;
};

const embeddedHolds = async (shell: Shell, { token, chainSlug }: Asked): Promise<bigint> => {
  const client = await shell.client();
  const own = await embeddedAddress(client, familyOf(chainSlug));
  const { data } = await client.getUserPortfolio();
  const balances = data.tokens.find(({ tokenId }) => tokenId === token.id)?.chainBalances ?? [];
  const held = balances.find(
    (one) => one.chainSlug === chainSlug && [own, own.toLowerCase()].includes(one.walletAddress),
  );
  return BigInt(held?.balance ?? 0);
};

const ownHolds = async (shell: Shell, { rpc }: ExecuteFlags, { token, chainSlug }: Asked): Promise<bigint> => {
  const providerOf = await providers(shell, rpc);
  if (familyOf(chainSlug) === 'solana')
    return heldOnSolana(providerOf(chainSlug ?? '').url, await ownAddress(shell, 'solana'), addressOf(token) ?? '');
  const { address } = await ownAccount(shell);
  return createPublicClient(providerOf(chainSlug ?? '')).readContract({
    address: token.primary_evm_address as `0x${string}`,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  });
};

/** In all of the wallet's accounts for the token, by the node itself. */
const heldOnSolana = async (url: string, wallet: string, mint: string): Promise<bigint> => {
  const params = [wallet, { mint }, { encoding: 'base64', commitment: 'confirmed' }];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params });
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await answer.json()) as { result?: { value: TokenAccount[] }; error?: Error };
  if (result === undefined) throw new Failure('later', `The node does not say what is held: ${error?.message}`);
  return result.value.reduce(
    (sum, { account }) => sum + Buffer.from(account.data[0], 'base64').readBigUInt64LE(amountAt),
    0n,
  );
};

interface TokenAccount {
  account: { data: [base64: string, encoding: string] };
}
/** In a token account, behind mint and owner. */
const amountAt = 64;
