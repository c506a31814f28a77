import { createConfig, factory } from 'ponder';
import { launchpadAbi } from '../../packages/protocol/src/evm/generated/abi.ts';
import { transferAbi } from './transferAbi.ts';

const env = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const launchpad = env('LAUNCHPAD') as `0x${string}`;
const startBlock = Number(env('START_BLOCK'));
const tokenCreated = launchpadAbi.find((item) => item.type === 'event' && item.name === 'TokenCreated');

export default createConfig({
  database: { kind: 'postgres', connectionString: env('DATABASE_URL') },
  chains: {
    local: {
      id: Number(env('CHAIN_ID')),
      rpc: env('RPC_URLS').split(' '),
      pollingInterval: Number(env('POLL_MS')),
    },
  },
  contracts: {
    Launchpad: { abi: launchpadAbi, chain: 'local', address: launchpad, startBlock },
    Token: {
      abi: transferAbi,
      chain: 'local',
      address: factory({ address: launchpad, event: tokenCreated as never, parameter: 'token' }),
      startBlock,
    },
  },
});
