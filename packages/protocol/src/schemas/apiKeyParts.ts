import { z } from 'zod';
import { chainSlugs } from '../chains/chains.ts';
import { AddressText, ChainSlug, DecimalText, IsoTime, optional } from './scalars.ts';

export const Scope = z.enum(['read', 'prepare', 'execute', 'social', 'moderate']).meta({
  id: 'Scope',
  description:
    'read: account reads; prepare: transactions to sign; execute: writes; social: profile, posts and votes; moderate: what operators do.',
});

export const ApiKeyId = z.string().regex(/^[0-9A-Za-z]{10}$/, 'must be the id of an API key: 10 letters and digits');

const Dollars = z
  .union([z.number().min(0), z.string().regex(/^(0|[1-9][0-9]{0,19})(\.[0-9]{1,18})?$/)], {
    error: 'must be dollars: a number or decimal text, not negative',
  })
  .meta({ id: 'Dollars', description: 'US dollars: a number of at most 15 digits, or decimal text.' });
const addresses = z.array(AddressText).max(50);
const builderBps = z.int().min(0).max(10_000);

/** Strict: a misspelt cap would be none. */
export const BudgetInput = z
  .strictObject({
    perTradeUsd: optional(Dollars).meta({
      description: 'USD that one request may spend at most; a trade and its approval count as one. Absent: no cap.',
    }),
    perDayUsd: optional(Dollars).meta({ description: 'USD that may be spent per day (UTC) at most. Absent: no cap.' }),
    chains: optional(z.array(ChainSlug).max(chainSlugs.length)).meta({
      description: 'Chains that may be used. Absent: every chain.',
    }),
    contracts: optional(addresses).meta({
      description:
        'Contracts that may be called with any data, besides those of this service. List no tokens, and no routers that hold older approvals.',
    }),
    recipients: optional(addresses).meta({
      description: 'Addresses that may be paid besides your own wallets, from `recipientsFrom` on.',
    }),
    maxBuilderBps: optional(builderBps).meta({ description: 'Highest builder fee, basis points; absent: 100.' }),
  })
  .meta({ id: 'BudgetInput' });

export const Budget = z
  .strictObject({
    perTradeUsd: DecimalText.nullable().meta({ description: 'USD; null: no cap.' }),
    perDayUsd: DecimalText.nullable().meta({ description: 'USD; null: no cap.' }),
    reservedTodayUsd: DecimalText.meta({ description: 'USD spent or reserved since midnight UTC.' }),
    chains: z.array(ChainSlug).nullable().meta({ description: 'Null: every chain.' }),
    contracts: z.array(AddressText).meta({ description: 'Contracts that may be called beside those of this service.' }),
    recipients: z.array(AddressText).meta({ description: 'Addresses that may be paid beside your own wallets.' }),
    recipientsFrom: IsoTime.meta({ description: 'From when on `recipients` can be paid.' }),
    maxBuilderBps: builderBps.meta({ description: 'Highest builder fee.' }),
  })
  .meta({ id: 'Budget' });

export const ApiKey = z.strictObject({
  id: ApiKeyId.meta({ description: 'Id of the key; it is also a part of the key.' }),
  name: z.string().meta({ description: 'As given.' }),
  prefix: z.string().meta({ description: 'First characters of the key, up to the end of its id.' }),
  scopes: z.array(Scope).meta({ description: 'What the key may do.' }),
  createdAt: IsoTime.meta({ description: 'When it was made.' }),
  expiresAt: IsoTime.nullable().meta({ description: 'When it ends; null: never.' }),
  lastUsedAt: IsoTime.nullable().meta({ description: 'Accurate to a minute; null: never used.' }),
  budget: Budget.nullable().meta({ description: 'Null: may spend everything that the embedded wallet holds.' }),
});

export type BudgetInput = z.output<typeof BudgetInput>;
export type Budget = z.output<typeof Budget>;
