import type { Client, TokenAbout } from '@mintage/sdk';

/** The token of exactly this id, address or slug: what is paid for is never guessed from a part of a name. */
export const namedToken = async (client: Client, word: string): Promise<TokenAbout> => {
  const { token } = await client.getTokenAbout({ token_id: word });
  return token;
};
