import { z } from 'zod';
import {
  AddressText,
  BaseUnits,
  ChainSlug,
  DecimalText,
  Hex,
  IsoTime,
  SentHash,
  TokenRef,
  Uuid,
} from '../schemas/scalars.ts';
import { operation } from './operation.ts';

const block = z.int().nonnegative();

const Proof = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('transaction').meta({ description: 'What proves it.' }),
      chain: ChainSlug.meta({ description: 'Where it is.' }),
      hash: SentHash.meta({ description: 'Of the transaction; `/get-transaction` shows it.' }),
      block: block.nullable().meta({ description: 'Block that contains it.' }),
    }),
    z.strictObject({
      kind: z.literal('contract').meta({ description: 'What proves it.' }),
      chain: ChainSlug.meta({ description: 'Where it is.' }),
      address: AddressText.meta({ description: 'Of the contract.' }),
      block: block.nullable().meta({ description: 'Block at which it was read; null: nothing was read.' }),
    }),
    z.strictObject({
      kind: z.literal('query').meta({ description: 'What proves it.' }),
      chain: ChainSlug.meta({ description: 'Home chain of the token.' }),
      path: z.string().meta({ description: 'Of a call of this service, made with POST.' }),
      body: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
        .meta({ description: 'What to send: the figure follows from the answer.' }),
      block: block.nullable().meta({ description: 'Newest indexed block, of which the figure is.' }),
    }),
  ])
  .meta({ id: 'FactProof', description: 'From what anybody can find the fact again.' });

/** One fact. What is not known has no value, and why is said in words. */
const fact = <Shape extends z.core.$ZodLooseShape>(shape: Shape, description: string) =>
  z
    .strictObject({
      known: z.boolean().meta({ description: 'Whether this service knows it.' }),
      why: z.string().nullable().meta({ description: 'Why it is not known, for people; null for what is.' }),
      value: z.strictObject(shape).nullable().meta({ description: 'Null: not known, or known not to have happened.' }),
      proofs: z.array(Proof).max(20).meta({ description: 'At most 20, the best first.' }),
    })
    .meta({ description });

const tokens = (what: string) => ({
  tokens: DecimalText.meta({ description: `${what}, whole tokens.` }),
  tokens_raw: BaseUnits.meta({ description: '`tokens`, in the token’s base units.' }),
  percent: DecimalText.meta({ description: 'Percent of the whole supply, rounded down.' }),
});

const usd = (description: string) => DecimalText.meta({ description });
const count = z.int().nonnegative();

const Facts = z
  .strictObject({
    liquidity: fact(
      {
        where: z.enum(['curve', 'pool']).meta({ description: 'Where the token trades.' }),
        holder: AddressText.meta({ description: 'The contract that holds it; it has no function that takes it out.' }),
        pool: z.string().nullable().meta({ description: 'Id or address of the pool; null on the curve.' }),
        locked_usd: usd(
          'USD: on the curve what buyers have put in by now and can sell back for, in the pool what was locked at graduation.',
        ),
        locked_tokens: DecimalText.meta({
          description:
            'Whole tokens: those that the curve still sells and keeps for the pool, or were locked at graduation.',
        }),
      },
      'Nobody can withdraw it: the curve pays only who sells, and the pool’s position is locked for good.',
    ),
    supply: fact(
      {
        total_tokens: DecimalText.meta({
          description: 'Whole tokens that exist, over all chains: fixed at the creation.',
        }),
        home_tokens: DecimalText.meta({ description: 'Those on the home chain, as its contract says.' }),
        home_tokens_raw: BaseUnits.meta({ description: '`home_tokens`, in the token’s base units.' }),
        elsewhere_tokens: DecimalText.meta({
          description: 'The rest, on other chains or on the way: burned at home, made there. `/solvency` counts them.',
        }),
      },
      'Known where the code is the published one, which has no function that makes more of them.',
    ),
    contract_code: fact(
      {
        matches: z.boolean().meta({ description: 'Whether all of it is what was published.' }),
        code_hash: Hex.meta({ description: 'keccak256 of the code at the token’s address.' }),
        published_hash: Hex.meta({ description: 'Of the code that every token of this service has.' }),
        implementation: AddressText.meta({ description: 'Contract that the token hands every call to.' }),
        implementation_hash: Hex.meta({ description: 'keccak256 of the code there.' }),
        published_implementation_hash: Hex.meta({
          description: 'Of the code that was deployed from the published source.',
        }),
      },
      'Read from the home chain.',
    ),
    ten_largest_holders: fact(
      {
        ...tokens('What they hold together'),
        wallets: count.meta({ description: 'How many there are, at most 10.' }),
      },
      'Wallets with their balances on all chains together; the curve, the pool and other contracts of this service are left out.',
    ),
    creator_holds: fact(
      { wallet: AddressText.meta({ description: 'The creator.' }), ...tokens('What it holds on all chains') },
      'Of the wallet that created the token.',
    ),
    creator_sold: fact(
      {
        ...tokens('What it sold'),
        usd: usd('USD that its sales were worth, before fees.'),
        trades: count.meta({ description: 'How many sales.' }),
        through_other_routers: DecimalText.meta({
          description: 'Whole tokens among `tokens` that swaps of other routers sold in transactions of the creator.',
        }),
        last_at: IsoTime.nullable().meta({ description: 'When it last sold; null: never.' }),
      },
      'What it sent to other wallets is not in it: `/get-token-transfers` lists that.',
    ),
    bought_in_opening: fact(
      {
        ...tokens('What was bought'),
        seconds: count.meta({
          description: 'How long the opening lasts: the fee falls to the normal one in that time.',
        }),
        wallets: count.meta({ description: 'Wallets that bought.' }),
        trades: count.meta({ description: 'Buys.' }),
        transactions: count.meta({ description: 'Transactions with these buys; `proofs` has the first 20.' }),
        creator_percent: DecimalText.meta({
          description: 'Percent of the whole supply that the creator bought in it.',
        }),
        is_over: z.boolean().meta({ description: 'False: more may come.' }),
      },
      'Buys in the first seconds after the creation, by block time, the creator’s own among them.',
    ),
    first_trade: fact(
      {
        at: IsoTime.meta({ description: 'Time of its block.' }),
        wallet: AddressText.meta({ description: 'Who traded.' }),
        side: z.enum(['buy', 'sell']).meta({ description: 'Of the trade.' }),
        usd: usd('USD, gross, fees included.'),
      },
      'No value: never traded.',
    ),
    created: fact(
      {
        at: IsoTime.meta({ description: 'Time of its block.' }),
        creator: AddressText.meta({ description: 'Who created the token.' }),
      },
      'The transaction that created the token.',
    ),
    graduated: fact({ at: IsoTime.meta({ description: 'Time of its block.' }) }, 'No value: not graduated yet.'),
    funded_by_creator: fact(
      { wallets: count.meta({ description: 'Holders whose first coins came from the creator.' }) },
      'Never known so far: it takes traces of all payments, which no provider of these chains gives.',
    ),
  })
  .meta({ id: 'TokenFacts' });

export const getTokenFacts = operation({
  name: 'getTokenFacts',
  summary: 'Lists what is proved about a token: liquidity, supply, code, holders, and what its creator did.',
  description:
    'Each fact comes with proofs: a transaction, a contract, or a call that anybody can make. What is not known says so, and is ' +
    'never 0. Figures are of the newest indexed block; code and supply are read from the chain, and kept for 10 seconds.',
  method: 'POST',
  path: '/get-token-facts',
  tag: 'Tokens',
  input: z.object({ token_id: TokenRef }),
  output: z.strictObject({
    success: z.literal(true),
    token_id: Uuid.meta({ description: 'Id of the token.' }),
    chain: ChainSlug.meta({ description: 'Home chain of the token.' }),
    token_address: AddressText.meta({ description: 'Its contract there.' }),
    facts: Facts,
  }),
  errors: ['TOKEN_NOT_FOUND'],
  access: 'public',
  scope: 'read',
  errorShape: 'A',
  example: { token_id: 'my-token' },
});
