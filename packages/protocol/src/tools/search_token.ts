import { z } from 'zod';
import { searchToken } from '../operations/searchToken.ts';
import { MintageError } from '../schemas/errors.ts';
import { AddressText } from '../schemas/scalars.ts';
import { tool } from './tool.ts';

const about = searchToken.output.shape.token.unwrap().shape;

export const search_token = tool({
  name: 'search_token',
  description:
    'Finds one token by contract address, slug or part of its name. Anyone may give a token any name: compare the ' +
    'contract address with the one that the user means.',
  operation: searchToken,
  input: z.object({
    input: searchToken.input.shape.input.meta({ description: 'Contract address, slug or partial name.' }),
  }),
  output: z.object({
    id: about.id,
    name: about.name,
    symbol: about.symbol,
    contract_address: AddressText.nullable(),
    price_usd: about.price_usd,
    market_cap: about.market_cap,
    description: about.description,
    image_url: about.logo,
    holders_count: about.holders_count,
    slug: about.slug,
    chain: about.origin_chain,
  }),
  toInput: (parameters) => parameters,
  toAnswer: ({ token }: z.output<typeof searchToken.output>, { input }) => {
    if (token === null) throw new MintageError('TOKEN_NOT_FOUND', `No token matches ${input}`);
    return {
      id: token.id,
      name: token.name,
      symbol: token.symbol,
      contract_address: token.primary_evm_address ?? token.primary_solana_address,
      price_usd: token.price_usd,
      market_cap: token.market_cap,
      description: token.description,
      image_url: token.logo,
      holders_count: token.holders_count,
      slug: token.slug,
      chain: token.origin_chain,
    };
  },
  example: { input: 'paper-boat' },
});
