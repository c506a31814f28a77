import { chainIds } from './chainIds.ts';
import { type Family, tokenDecimalsOf } from './families.ts';

/**
 * The 17 chains as data. Sources, unless a row says otherwise: chain id, name, block time, native coin and explorer
 * from `viem` 2.57.1 (`viem/chains`; the test compares them); eid from `@layerzerolabs/lz-definitions` 3.1.13; USDC from
 * `@circle-fin/bridge-kit` 1.15.1 and `@across-protocol/constants` 3.1.127; Uniswap v4 from `@uniswap/sdk-core` 7.19.4
 * and `@uniswap/universal-router-sdk` 5.13.0 (router 2.0);
 * LayerZero's contracts from `@layerzerolabs/lz-evm-sdk-v2` 3.1.10. None of these is trusted blindly: a deployment reads the
 * dollar token's decimals and the code at each address before it uses them. `finalityBlocks`, `deadlineSeconds` and `gas`
 * are our own estimates.
 */

/** One chain as it is written down. EVM addresses are lower case, Solana's are base58. */
interface ChainEntry {
  /** The chain's name on the wire: lower case, words joined by hyphens. */
  slug: string;
  /** The name that people read. */
  name: string;
  family: Family;
  /** EIP-155; null on Solana. */
  chainId: number | null;
  /** CAIP-2, where it is not made of the EIP-155 id. */
  caip2?: string;
  /** LayerZero V2 endpoint id: every chain has one. */
  eid: number;
  testnet: boolean;
  /** As published, a hint only; null where no list says it. */
  blockTimeMs: number | null;
  /**
   * Blocks after which we stop expecting a reorg where a provider has no `finalized` tag: our own estimate (about 15
   * minutes on a rollup, which follows its parent chain; the protocol's own finality with room elsewhere). Null: unknown.
   */
  finalityBlocks: number | null;
  /** Name of the coin that pays for gas, as wallets show it. */
  nativeName: string;
  /** Its symbol. */
  nativeSymbol: string;
  /** Decimals of its base units. */
  nativeDecimals: number;
  /** The settlement stablecoin; `decimals` of one dollar's base units. */
  dollarToken: { address: string; symbol: string; decimals: number };
  /** Where graduated tokens trade; null: nowhere yet, so that creation reverts. */
  venue: Venue | null;
  /** Null where tokens do not cross: no contracts of ours there yet. */
  layerZero: LayerZero | null;
  /** Without a trailing slash; null where no list says it. */
  explorerUrl: string | null;
  /** Seconds that an order is valid when the caller names no deadline. Longer where blocks are slow. */
  deadlineSeconds: number;
  /** What embedded wallets may spend on gas; null where the signer sends nothing. */
  gas: GasTerms | null;
}

/** Bounds of what the signer pays for gas. Coins and gwei are decimal text; a coin has 18 decimals. */
export interface GasTerms {
  /** Highest fee per unit of gas that is ever signed, gwei. */
  maxFeeGwei: string;
  /** Most that one wallet's gas may cost in a day (UTC), whole native coins. */
  maxPerDayCoins: string;
  /** Least tip per unit of gas, gwei, whatever a provider suggests. */
  minTipGwei: string;
  /** Highest tip per unit of gas, gwei, whatever a provider suggests. */
  maxTipGwei: string;
  /** What a rollup charges for data beside gas, in percent of the gas limit's cost. */
  dataFeePercent: number;
  /** Blocks that a transaction may wait unmined before it is replaced: about 20 seconds. */
  patienceBlocks: number;
}

/** Contracts of LayerZero v2, lower case. */
export interface LayerZero {
  endpoint: `0x${string}`;
  /** Of the kind ULN 302, as the receiving one. */
  sendLibrary: `0x${string}`;
  receiveLibrary: `0x${string}`;
  executor: `0x${string}`;
  /** Verifiers that our paths require, by who runs them: a path takes all that both of its chains have. */
  dvns: Readonly<Record<string, `0x${string}`>>;
}

/** Where graduated tokens trade: an exchange, or a pool of our own. */
export type Venue = UniswapV4 | VenueV3 | OwnPool;

/** As the wire names it. */
export type VenueKind = Venue['kind'];

/** Contracts of Uniswap v4, lower case. */
export interface UniswapV4 {
  kind: 'uniswap_v4';
  poolManager: `0x${string}`;
  positionManager: `0x${string}`;
  quoter: `0x${string}`;
  stateView: `0x${string}`;
  universalRouter: `0x${string}`;
}

export interface VenueV3 {
  kind: 'uniswap_v3' | 'pancake_v3';
  /** Null where no list names one: who deploys there does. */
  exchange: ExchangeV3 | null;
}

/** The launchpad's own pools: the curve goes on in them. */
export interface OwnPool {
  kind: 'mintage_pool';
}

export const isV3 = (venue: Venue | null): venue is VenueV3 => venue !== null && 'exchange' in venue;

/** An exchange of the form of Uniswap v3, addresses in lower case: `ExchangeV3` in Solidity. */
export interface ExchangeV3 {
  factory: `0x${string}`;
  /** Who creates its pools by CREATE2: the factory on Uniswap, a contract of its own on PancakeSwap. */
  deployer: `0x${string}`;
  /** Of a pool's creation code; on EraVM the hash that its CREATE2 takes. */
  poolCodeHash: `0x${string}`;
  /** Whether pools are EraVM's own contracts, whose CREATE2 has another formula. */
  isEra: boolean;
}

/** The same two contracts on every chain with an EVM; the hash is that of `@pancakeswap/v3-core` 1.0.2. */
const pancakeV3: ExchangeV3 = {
  factory: '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865',
  deployer: '0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9',
  poolCodeHash: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2',
  isEra: false,
};

/** What Uniswap's own v3 pools are created by: code of the EVM, and of EraVM (`@uniswap/v3-sdk` 3.25.2). */
export const uniswapV3CodeHashes = {
  evm: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54',
  era: '0x010013f177ea1fcbc4520f9a3ca7cd2d1d77959e05aa66484027cb38e712aeed',
} as const;

/** `@uniswap/sdk-core` 7.19.4. */
const uniswapV3OnEra: ExchangeV3 = {
  factory: '0x8fda5a7a8dca67bbcdd10f02fa0649a937215422',
  deployer: '0x8fda5a7a8dca67bbcdd10f02fa0649a937215422',
  poolCodeHash: uniswapV3CodeHashes.era,
  isEra: true,
};

const entries = [
  {
    slug: 'solana',
    name: 'Solana',
    ...chainIds.solana,
    caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    testnet: false,
    blockTimeMs: 400,
    finalityBlocks: 32,
    nativeName: 'Solana',
    nativeSymbol: 'SOL',
    nativeDecimals: 9,
    dollarToken: { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', symbol: 'USDC', decimals: 6 },
    venue: { kind: 'mintage_pool' },
    layerZero: null,
    explorerUrl: 'https://explorer.solana.com',
    deadlineSeconds: 120,
    gas: null,
  },
  {
    slug: 'solana-devnet',
    name: 'Solana Devnet',
    ...chainIds['solana-devnet'],
    caip2: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    testnet: true,
    blockTimeMs: 400,
    finalityBlocks: 32,
    nativeName: 'Solana',
    nativeSymbol: 'SOL',
    nativeDecimals: 9,
    dollarToken: { address: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU', symbol: 'USDC', decimals: 6 },
    venue: { kind: 'mintage_pool' },
    layerZero: null,
    // The explorer tells clusters apart by a query, and an address of ours has none: our own page shows a transaction.
    explorerUrl: null,
    deadlineSeconds: 120,
    gas: null,
  },
  {
    slug: 'arbitrum',
    name: 'Arbitrum One',
    ...chainIds.arbitrum,
    testnet: false,
    blockTimeMs: 250,
    finalityBlocks: 3600,
    nativeName: 'Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    dollarToken: { address: '0xaf88d065e77c8cc2239327c5edb3a432268e5831', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x360e68faccca8ca495c1b759fd9eee466db9fb32',
      positionManager: '0xd88f38f930b7952f2db2432cb002e7abbf3dd869',
      quoter: '0x3972c00f7ed4885e145823eb7c655375d275a1c5',
      stateView: '0x76fd297e2d437cd7f76d50f01afe6160f86e9990',
      universalRouter: '0xa51afafe0263b40edaef0df8781ea9aa03e381a3',
    },
    layerZero: {
      endpoint: '0x1a44076050125825900e736c501f859c50fe728c',
      sendLibrary: '0x975bcd720be66659e3eb3c0e4f1866a3020e493a',
      receiveLibrary: '0x7b9e184e07a6ee1ac23eae0fe8d6be2f663f05e6',
      executor: '0x31cae3b7fb82d847621859fb1585353c5720660d',
      dvns: {
        layerZeroLabs: '0x2f55c492897526677c5b68fb199ea31e2c126416',
        nethermind: '0xa7b5189bca84cd304d8553977c7c614329750d99',
      },
    },
    explorerUrl: 'https://arbiscan.io',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '5',
      maxPerDayCoins: '0.02',
      minTipGwei: '0',
      maxTipGwei: '0.1',
      dataFeePercent: 0,
      patienceBlocks: 80,
    },
  },
  {
    slug: 'base',
    name: 'Base',
    ...chainIds.base,
    testnet: false,
    blockTimeMs: 2000,
    finalityBlocks: 450,
    nativeName: 'Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    dollarToken: { address: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x498581ff718922c3f8e6a244956af099b2652b2b',
      positionManager: '0x7c5f5a4bbd8fd63184577525326123b519429bdc',
      quoter: '0x0d5e0f971ed27fbff6c2837bf31316121532048d',
      stateView: '0xa3c0c9b65bad0b08107aa264b0f3db444b867a71',
      universalRouter: '0x6ff5693b99212da76ad316178a184ab56d299b43',
    },
    layerZero: {
      endpoint: '0x1a44076050125825900e736c501f859c50fe728c',
      sendLibrary: '0xb5320b0b3a13cc860893e2bd79fcd7e13484dda2',
      receiveLibrary: '0xc70ab6f32772f59fbfc23889caf4ba3376c84baf',
      executor: '0x2cca08ae69e0c44b18a57ab2a87644234daebae4',
      dvns: {
        layerZeroLabs: '0x9e059a54699a285714207b43b055483e78faac25',
        nethermind: '0xcd37ca043f8479064e10635020c65ffc005d36f6',
      },
    },
    explorerUrl: 'https://basescan.org',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '5',
      maxPerDayCoins: '0.02',
      minTipGwei: '0.001',
      maxTipGwei: '0.5',
      dataFeePercent: 25,
      patienceBlocks: 10,
    },
  },
  {
    slug: 'base-sepolia',
    name: 'Base Sepolia',
    ...chainIds['base-sepolia'],
    testnet: true,
    blockTimeMs: 2000,
    finalityBlocks: 450,
    nativeName: 'Sepolia Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    dollarToken: { address: '0x036cbd53842c5426634e7929541ec2318f3dcf7e', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x05e73354cfdd6745c338b50bcfdfa3aa6fa03408',
      positionManager: '0x4b2c77d209d3405f41a037ec6c77f7f5b8e2ca80',
      quoter: '0x4a6513c898fe1b2d0e78d3b0e0a4a151589b1cba',
      stateView: '0x571291b572ed32ce6751a2cb2486ebee8defb9b4',
      universalRouter: '0x492e6456d9528771018deb9e87ef7750ef184104',
    },
    layerZero: {
      endpoint: '0x6edce65403992e310a62460808c4b910d972f10f',
      sendLibrary: '0xc1868e054425d378095a003ecba3823a5d0135c9',
      receiveLibrary: '0x12523de19dc41c91f7d2093e0cfbb76b17012c8d',
      executor: '0x8a3d588d9f6ac041476b094f97ff94ec30169d3d',
      dvns: { layerZeroLabs: '0xe1a12515f9ab2764b887bf60b923ca494ebbb2d6' },
    },
    explorerUrl: 'https://sepolia.basescan.org',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '100',
      maxPerDayCoins: '100',
      minTipGwei: '0.001',
      maxTipGwei: '2',
      dataFeePercent: 25,
      patienceBlocks: 10,
    },
  },
  {
    slug: 'avalanche',
    name: 'Avalanche',
    ...chainIds.avalanche,
    testnet: false,
    blockTimeMs: 1700,
    finalityBlocks: 8,
    nativeName: 'Avalanche',
    nativeSymbol: 'AVAX',
    nativeDecimals: 18,
    dollarToken: { address: '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x06380c0e0912312b5150364b9dc4542ba0dbbc85',
      positionManager: '0xb74b1f14d2754acfcbbe1a221023a5cf50ab8acd',
      quoter: '0xbe40675bb704506a3c2ccfb762dcfd1e979845c2',
      stateView: '0xc3c9e198c735a4b97e3e683f391ccbdd60b69286',
      universalRouter: '0x94b75331ae8d42c1b61065089b7d48fe14aa73b7',
    },
    layerZero: {
      endpoint: '0x1a44076050125825900e736c501f859c50fe728c',
      sendLibrary: '0x197d1333dea5fe0d6600e9b396c7f1b1cfcc558a',
      receiveLibrary: '0xbf3521d309642fa9b1c91a08609505ba09752c61',
      executor: '0x90e595783e43eb89ff07f63d27b8430e6b44bd9c',
      dvns: {
        layerZeroLabs: '0x962f502a63f5fbeb44dc9ab932122648e8352959',
        nethermind: '0xa59ba433ac34d2927232918ef5b2eaafcf130ba5',
      },
    },
    explorerUrl: 'https://snowtrace.io',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '200',
      maxPerDayCoins: '2',
      minTipGwei: '0',
      maxTipGwei: '5',
      dataFeePercent: 0,
      patienceBlocks: 12,
    },
  },
  {
    slug: 'op-bnb',
    name: 'opBNB',
    ...chainIds['op-bnb'],
    testnet: false,
    // Public documentation of opBNB, January 2026.
    blockTimeMs: 250,
    finalityBlocks: 3600,
    nativeName: 'BNB',
    nativeSymbol: 'BNB',
    nativeDecimals: 18,
    // Tether, the chain's main dollar token: no canonical USDC in any list. @pancakeswap/tokens 0.9.1.
    dollarToken: { address: '0x9e5aac1ba1a2e6aed6b32689dfcf62a509ca96f3', symbol: 'USDT', decimals: 18 },
    venue: { kind: 'pancake_v3', exchange: pancakeV3 },
    layerZero: {
      endpoint: '0x1a44076050125825900e736c501f859c50fe728c',
      sendLibrary: '0x44289609cc6781fa2c665796b6c5aabf9ffcedc5',
      receiveLibrary: '0x9c9e25f9fc4e8134313c2a9f5c719f5c9f4fbd95',
      executor: '0xacbd57daaafb7d9798992a7b0382fc67d3e316f3',
      dvns: {
        layerZeroLabs: '0x3ebb618b5c9d09de770979d552b27d6357aff73b',
        nethermind: '0x6a4c9096f162f0ab3c0517b0a40dc1ce44785e16',
      },
    },
    explorerUrl: 'https://opbnb.bscscan.com',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '5',
      maxPerDayCoins: '0.02',
      minTipGwei: '0.001',
      maxTipGwei: '1',
      dataFeePercent: 25,
      patienceBlocks: 80,
    },
  },
  {
    slug: 'bnb',
    name: 'BNB Smart Chain',
    ...chainIds.bnb,
    testnet: false,
    blockTimeMs: 750,
    finalityBlocks: 32,
    nativeName: 'BNB',
    nativeSymbol: 'BNB',
    nativeDecimals: 18,
    // Binance-Peg USD Coin: @uniswap/default-token-list 22.21.0, @stargatefinance/stg-definitions-v2 6.1.0.
    dollarToken: { address: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d', symbol: 'USDC', decimals: 18 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x28e2ea090877bf75740558f6bfb36a5ffee9e9df',
      positionManager: '0x7a4a5c919ae2541aed11041a1aeee68f1287f95b',
      quoter: '0x9f75dd27d6664c475b90e105573e550ff69437b0',
      stateView: '0xd13dd3d6e93f276fafc9db9e6bb47c1180aee0c4',
      universalRouter: '0x1906c1d672b88cd1b9ac7593301ca990f94eae07',
    },
    layerZero: {
      endpoint: '0x1a44076050125825900e736c501f859c50fe728c',
      sendLibrary: '0x9f8c645f2d0b2159767bd6e0839de4be49e823de',
      receiveLibrary: '0xb217266c3a98c8b2709ee26836c98cf12f6ccec1',
      executor: '0x3ebd570ed38b1b3b4bc886999fcf507e9d584859',
      dvns: {
        layerZeroLabs: '0xfd6865c841c2d64565562fcc7e05e619a30615f0',
        nethermind: '0x31f748a368a893bdb5abb67ec95f232507601a73',
      },
    },
    explorerUrl: 'https://bscscan.com',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '10',
      maxPerDayCoins: '0.1',
      minTipGwei: '0.05',
      maxTipGwei: '3',
      dataFeePercent: 0,
      patienceBlocks: 27,
    },
  },
  {
    slug: 'bnb-testnet',
    name: 'BNB Smart Chain Testnet',
    ...chainIds['bnb-testnet'],
    testnet: true,
    blockTimeMs: null,
    finalityBlocks: 32,
    nativeName: 'BNB',
    nativeSymbol: 'tBNB',
    nativeDecimals: 18,
    // PancakeSwap's test coin: @pancakeswap/tokens 0.9.1. Circle has none here.
    dollarToken: { address: '0xca8eb2dec4fe3a5abbfdc017de48e461a936623d', symbol: 'USDC', decimals: 18 },
    venue: { kind: 'pancake_v3', exchange: pancakeV3 },
    layerZero: {
      endpoint: '0x6edce65403992e310a62460808c4b910d972f10f',
      sendLibrary: '0x55f16c442907e86d764afdc2a07c2de3bdac8bb7',
      receiveLibrary: '0x188d4bbced671a7aa2b5055937f79510a32e9683',
      executor: '0x31894b190a8babd9a067ce59fde0bfcfd2b18470',
      dvns: {
        layerZeroLabs: '0x0ee552262f7b562efced6dd4a7e2878ab897d405',
        nethermind: '0x6334290b7b4a365f3c0e79c85b1b42f078db78e4',
      },
    },
    explorerUrl: 'https://testnet.bscscan.com',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '100',
      maxPerDayCoins: '100',
      minTipGwei: '0.1',
      maxTipGwei: '5',
      dataFeePercent: 0,
      patienceBlocks: 20,
    },
  },
  {
    slug: 'ethereum',
    name: 'Ethereum',
    ...chainIds.ethereum,
    testnet: false,
    blockTimeMs: 12000,
    finalityBlocks: 64,
    nativeName: 'Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    dollarToken: { address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x000000000004444c5dc75cb358380d2e3de08a90',
      positionManager: '0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e',
      quoter: '0x52f0e24d1c21c8a0cb1e5a5dd6198556bd9e1203',
      stateView: '0x7ffe42c4a5deea5b0fec41c94c136cf115597227',
      universalRouter: '0x66a9893cc07d91d95644aedd05d03f95e1dba8af',
    },
    layerZero: {
      endpoint: '0x1a44076050125825900e736c501f859c50fe728c',
      sendLibrary: '0xbb2ea70c9e858123480642cf96acbcce1372dce1',
      receiveLibrary: '0xc02ab410f0734efa3f14628780e6e695156024c2',
      executor: '0x173272739bd7aa6e4e214714048a9fe699453059',
      dvns: {
        layerZeroLabs: '0x589dedbd617e0cbcb916a9223f4d1300c294236b',
        nethermind: '0xa59ba433ac34d2927232918ef5b2eaafcf130ba5',
      },
    },
    explorerUrl: 'https://etherscan.io',
    // Blocks come every 12 s, and a transaction may wait for several.
    deadlineSeconds: 300,
    gas: {
      maxFeeGwei: '100',
      maxPerDayCoins: '0.3',
      minTipGwei: '0.01',
      maxTipGwei: '3',
      dataFeePercent: 0,
      patienceBlocks: 3,
    },
  },
  {
    slug: 'monad',
    name: 'Monad',
    ...chainIds.monad,
    testnet: false,
    blockTimeMs: 400,
    finalityBlocks: 8,
    nativeName: 'Monad',
    nativeSymbol: 'MON',
    nativeDecimals: 18,
    dollarToken: { address: '0x754704bc059f8c67012fed69bc8a327a5aafb603', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x188d586ddcf52439676ca21a244753fa19f9ea8e',
      positionManager: '0x5b7ec4a94ff9bedb700fb82ab09d5846972f4016',
      quoter: '0xa222dd357a9076d1091ed6aa2e16c9742dd26891',
      stateView: '0x77395f3b2e73ae90843717371294fa97cc419d64',
      universalRouter: '0x0d97dc33264bfc1c226207428a79b26757fb9dc3',
    },
    layerZero: {
      endpoint: '0x6f475642a6e85809b1c36fa62763669b1b48dd5b',
      sendLibrary: '0xc39161c743d0307eb9bcc9fef03eeb9dc4802de7',
      receiveLibrary: '0xe1844c5d63a9543023008d332bd3d2e6f1fe1043',
      executor: '0x4208d6e27538189bb48e603d6123a94b8abe0a0b',
      dvns: {
        layerZeroLabs: '0x282b3386571f7f794450d5789911a9804fa346b4',
        nethermind: '0xacde1f22eeab249d3ca6ba8805c8fee9f52a16e7',
      },
    },
    explorerUrl: 'https://monadscan.com',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '1000',
      maxPerDayCoins: '100',
      minTipGwei: '1',
      maxTipGwei: '50',
      dataFeePercent: 0,
      patienceBlocks: 50,
    },
  },
  {
    slug: 'unichain',
    name: 'Unichain',
    ...chainIds.unichain,
    testnet: false,
    blockTimeMs: 1000,
    finalityBlocks: 900,
    nativeName: 'Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    dollarToken: { address: '0x078d782b760474a361dda0af3839290b0ef57ad6', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x1f98400000000000000000000000000000000004',
      positionManager: '0x4529a01c7a0410167c5740c487a8de60232617bf',
      quoter: '0x333e3c607b141b18ff6de9f258db6e77fe7491e0',
      stateView: '0x86e8631a016f9068c3f085faf484ee3f5fdee8f2',
      universalRouter: '0xef740bf23acae26f6492b10de645d6b98dc8eaf3',
    },
    layerZero: {
      endpoint: '0x6f475642a6e85809b1c36fa62763669b1b48dd5b',
      sendLibrary: '0xc39161c743d0307eb9bcc9fef03eeb9dc4802de7',
      receiveLibrary: '0xe1844c5d63a9543023008d332bd3d2e6f1fe1043',
      executor: '0x4208d6e27538189bb48e603d6123a94b8abe0a0b',
      dvns: { layerZeroLabs: '0x282b3386571f7f794450d5789911a9804fa346b4' },
    },
    explorerUrl: 'https://uniscan.xyz',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '5',
      maxPerDayCoins: '0.02',
      minTipGwei: '0.001',
      maxTipGwei: '0.5',
      dataFeePercent: 25,
      patienceBlocks: 20,
    },
  },
  {
    slug: 'unichain-testnet',
    name: 'Unichain Sepolia',
    ...chainIds['unichain-testnet'],
    testnet: true,
    blockTimeMs: 1000,
    finalityBlocks: 900,
    nativeName: 'Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    dollarToken: { address: '0x31d0220469e10c4e71834a79b1f276d740d3768f', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x00b036b58a818b1bc34d502d3fe730db729e62ac',
      positionManager: '0xf969aee60879c54baaed9f3ed26147db216fd664',
      quoter: '0x56dcd40a3f2d466f48e7f48bdbe5cc9b92ae4472',
      stateView: '0xc199f1072a74d4e905aba1a84d9a45e2546b6222',
      universalRouter: '0xf70536b3bcc1bd1a972dc186a2cf84cc6da6be5d',
    },
    layerZero: {
      endpoint: '0xb8815f3f882614048cbe201a67ef9c6f10fe5035',
      sendLibrary: '0x72e34f44eb09058bddaf1aeeebdec062f1844b00',
      receiveLibrary: '0xbea34f26b6fba63054e4ed86806adce594a62561',
      executor: '0x8548b148800bb00c6e4039aa9c20ebb36a36a600',
      dvns: { layerZeroLabs: '0x6236072727ae3dfe29bafe9606e41827be8c6341' },
    },
    explorerUrl: 'https://sepolia.uniscan.xyz',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '100',
      maxPerDayCoins: '100',
      minTipGwei: '0.001',
      maxTipGwei: '2',
      dataFeePercent: 25,
      patienceBlocks: 20,
    },
  },
  {
    slug: 'abstract',
    name: 'Abstract',
    ...chainIds.abstract,
    testnet: false,
    blockTimeMs: 200,
    finalityBlocks: 4500,
    nativeName: 'ETH',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    // Stargate's bridged USDC: @stargatefinance/stg-definitions-v2 6.1.0.
    dollarToken: { address: '0x84a71ccd554cc1b02749b35d22f684cc8ec987e1', symbol: 'USDC.e', decimals: 6 },
    venue: { kind: 'uniswap_v3', exchange: null },
    layerZero: {
      endpoint: '0x5c6cff4b7c49805f8295ff73c204ac83f3bc4ae7',
      sendLibrary: '0x166cab679ebdb0853055522d3b523621b94029a1',
      receiveLibrary: '0x9d799c1935c51ca399e6465ed9841debccec413e',
      executor: '0x643e1471f37c4680df30cf0c540cd379a0ff58a5',
      dvns: { layerZeroLabs: '0xf4da94b4ee9d8e209e3bf9f469221ce2731a7112' },
    },
    explorerUrl: 'https://abscan.org',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '5',
      maxPerDayCoins: '0.02',
      minTipGwei: '0',
      maxTipGwei: '0.5',
      dataFeePercent: 0,
      patienceBlocks: 100,
    },
  },
  {
    slug: 'polygon',
    name: 'Polygon',
    ...chainIds.polygon,
    testnet: false,
    blockTimeMs: 2000,
    finalityBlocks: 64,
    nativeName: 'POL',
    nativeSymbol: 'POL',
    nativeDecimals: 18,
    dollarToken: { address: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359', symbol: 'USDC', decimals: 6 },
    venue: {
      kind: 'uniswap_v4',
      poolManager: '0x67366782805870060151383f4bbff9dab53e5cd6',
      positionManager: '0x1ec2ebf4f37e7363fdfe3551602425af0b3ceef9',
      quoter: '0xb3d5c3dfc3a7aebff71895a7191796bffc2c81b9',
      stateView: '0x5ea1bd7974c8a611cbab0bdcafcb1d9cc9b3ba5a',
      universalRouter: '0x1095692a6237d83c6a72f3f5efedb9a670c49223',
    },
    layerZero: {
      endpoint: '0x1a44076050125825900e736c501f859c50fe728c',
      sendLibrary: '0x6c26c61a97006888ea9e4fa36584c7df57cd9da3',
      receiveLibrary: '0x1322871e4ab09bc7f5717189434f97bbd9546e95',
      executor: '0xcd3f213ad101472e1713c72b1697e727c803885b',
      dvns: {
        layerZeroLabs: '0x23de2fe932d9043291f870324b74f820e11dc81a',
        nethermind: '0x31f748a368a893bdb5abb67ec95f232507601a73',
      },
    },
    explorerUrl: 'https://polygonscan.com',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '2000',
      maxPerDayCoins: '100',
      minTipGwei: '25',
      maxTipGwei: '300',
      dataFeePercent: 0,
      patienceBlocks: 10,
    },
  },
  {
    slug: 'zksync',
    name: 'ZKsync Era',
    ...chainIds.zksync,
    testnet: false,
    blockTimeMs: 200,
    finalityBlocks: 4500,
    nativeName: 'Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    // Circle's own, not the bridged USDC.e: @circle-fin/bridge-kit 1.15.1.
    dollarToken: { address: '0x1d17cbcf0d6d143135ae902365d2e5e2a16538d4', symbol: 'USDC', decimals: 6 },
    venue: { kind: 'uniswap_v3', exchange: uniswapV3OnEra },
    layerZero: {
      endpoint: '0xd07c30af3ff30d96bdc9c6044958230eb797ddbf',
      sendLibrary: '0x07fd0e370b49919ca8da0ce842b8177263c0e12c',
      receiveLibrary: '0x04830f6decf08dec9ed6c3fcad215245b78a59e1',
      executor: '0x664e390e672a811c12091db8426cbb7d68d5d8a6',
      dvns: {
        layerZeroLabs: '0x620a9df73d2f1015ea75aea1067227f9013f5c51',
        nethermind: '0xb183c2b91cf76cad13602b32ada2fd273f19009c',
      },
    },
    explorerUrl: 'https://explorer.zksync.io',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '5',
      maxPerDayCoins: '0.02',
      minTipGwei: '0',
      maxTipGwei: '0.5',
      dataFeePercent: 0,
      patienceBlocks: 100,
    },
  },
  {
    slug: 'zksync-testnet',
    name: 'ZKsync Sepolia Testnet',
    ...chainIds['zksync-testnet'],
    testnet: true,
    blockTimeMs: 200,
    finalityBlocks: 4500,
    nativeName: 'Ether',
    nativeSymbol: 'ETH',
    nativeDecimals: 18,
    // @circle-fin/bridge-kit 1.15.1.
    dollarToken: { address: '0xae045de5638162fa134807cb558e15a3f5a7f853', symbol: 'USDC', decimals: 6 },
    venue: { kind: 'uniswap_v3', exchange: null },
    layerZero: {
      endpoint: '0xe2ef622a13e71d9dd2bbd12cd4b27e1516fa8a09',
      sendLibrary: '0xaf862837316e00d2708bd648c5fe87edc7093799',
      receiveLibrary: '0x5c123db6f87cc0d7e320c5cc9eaafd336b5f6ef3',
      executor: '0x6e9bcfcbedb7d1298e66cde81ed9f39b1e12f935',
      dvns: { layerZeroLabs: '0x605688c4caa80d17448e074faa463ed7b7693d63' },
    },
    explorerUrl: 'https://sepolia.explorer.zksync.io',
    deadlineSeconds: 120,
    gas: {
      maxFeeGwei: '100',
      maxPerDayCoins: '100',
      minTipGwei: '0',
      maxTipGwei: '2',
      dataFeePercent: 0,
      patienceBlocks: 100,
    },
  },
] as const satisfies readonly ChainEntry[];

export type Slug = (typeof entries)[number]['slug'];

declare const eidBrand: unique symbol;

/**
 * LayerZero V2 endpoint id: what chains are known by inside, because every chain has one and Solana has no EIP-155 id. The
 * brand keeps an EIP-155 id from being taken for it.
 */
export type Eid = number & { readonly [eidBrand]: true };

export interface Chain extends ChainEntry {
  slug: Slug;
  eid: Eid;
}

/** All of them, in the order of the wire contract. */
export const chains: readonly Chain[] = entries.map((entry) => ({ ...entry, eid: entry.eid as Eid }));
export const chainSlugs: readonly Slug[] = chains.map(({ slug }) => slug);

const bySlug = new Map<string, Chain>(chains.map((chain) => [chain.slug, chain]));
const byEid = new Map<number, Chain>(chains.map((chain) => [chain.eid, chain]));

export const chainBySlug = (slug: Slug): Chain => bySlug.get(slug) as Chain;

/** Undefined when none of our chains has this LayerZero endpoint id. */
export const chainByEid = (eid: number): Chain | undefined => byEid.get(eid);

/** Decimals of the tokens of the chain with this endpoint id. */
export const tokenDecimalsAt = (eid: Eid): number => tokenDecimalsOf(byEid.get(eid) as Chain);

/** The chain's CAIP-2 id. */
export const caip2Of = ({ chainId, caip2 }: Pick<Chain, 'chainId' | 'caip2'>): string => caip2 ?? `eip155:${chainId}`;

/** Without a new block for so long a chain stands still: nothing is quoted or prepared by what was known of it before. */
export const staleAfterMs = ({ blockTimeMs }: Pick<Chain, 'blockTimeMs'>): number =>
  Math.max(30_000, 10 * (blockTimeMs ?? 1_000));
