import type { CreateTokenTransactionInput } from '@mintage/sdk';
import { complete, typedAmount } from '../../lib/amounts.ts';
import { type LinkName, typedLink } from '../../lib/links.ts';
import type { Picture } from '../../lib/readPicture.ts';

export type PoolType = NonNullable<CreateTokenTransactionInput['poolType']>;

/** When the creator buys: not at all, once the opening fee is over, or within the creation. */
export type FirstBuy = 'none' | 'after' | 'with';

/** What is written into the form; pictures are kept beside it, because they are big. */
export interface Draft {
  name: string;
  symbol: string;
  description: string;
  /** Slug; null: the first that there is. */
  chain: string | null;
  poolType: PoolType;
  links: Record<LinkName, string>;
  /** Separated by commas. */
  tags: string;
  /** Slugs of the chains where it is announced. */
  destinations: string[];
  firstBuy: FirstBuy;
  /** Dollars, as typed. */
  buyUsd: string;
}

export const emptyDraft: Draft = {
  name: '',
  symbol: '',
  description: '',
  chain: null,
  poolType: 'meme',
  links: { website: '', twitter: '', telegram: '', discord: '', youtube: '' },
  tags: '',
  destinations: [],
  firstBuy: 'none',
  buyUsd: '100',
};

export const tagsOf = (text: string): string[] =>
  [...new Set(text.split(',').map((tag) => tag.trim().replace(/^#/, '')))].filter((tag) => tag !== '');

const lengthOf = (text: string): number => [...text.trim()].length;
/** Up to nine digits and six places: such a number is exact wherever it goes. */
export const dollarsIn = (text: string): string | null => {
  const plain = complete(typedAmount(text) ?? '');
  return /^\d{1,9}(\.\d{1,6})?$/.test(plain) && Number(plain) > 0 ? plain : null;
};

export type FieldName = 'picture' | 'name' | 'symbol' | 'description' | 'links' | 'tags' | 'buyUsd';
/** What is wrong, by field, as a key of the messages. */
export type Problems = Partial<Record<FieldName, 'missing' | 'tooLong' | 'tooMany' | 'notALink' | 'notAnAmount'>>;

const textProblem = (text: string, longest: number): 'missing' | 'tooLong' | undefined =>
  lengthOf(text) === 0 ? 'missing' : lengthOf(text) > longest ? 'tooLong' : undefined;

export const problemsOf = (draft: Draft, picture: Picture | null): Problems => {
  const found = {
    picture: picture === null ? ('missing' as const) : undefined,
    name: textProblem(draft.name, 32),
    symbol: textProblem(draft.symbol, 10),
    description: textProblem(draft.description, 1_000),
    links: Object.values(draft.links).every((text) => text.trim() === '' || typedLink(text) !== null)
      ? undefined
      : ('notALink' as const),
    tags:
      tagsOf(draft.tags).length > 10
        ? ('tooMany' as const)
        : tagsOf(draft.tags).some((tag) => lengthOf(tag) > 32)
          ? ('tooLong' as const)
          : undefined,
    buyUsd: draft.firstBuy === 'none' || dollarsIn(draft.buyUsd) !== null ? undefined : ('notAnAmount' as const),
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined)) as Problems;
};
