import { type Client, MintageError, type TokenAbout } from '@mintage/sdk';

/** The token of exactly this id, address or slug: what is paid for is never guessed from a part of a name. */
export const namedToken = async (client: Client, word: string): Promise<TokenAbout> => {
  try {
    const { token } = await client.getTokenAbout({ token_id: word });
    return token;
  } catch (error) {
    if (!(error instanceof MintageError) || error.code !== 'TOKEN_NOT_FOUND') throw error;
    throw new MintageError(
      'TOKEN_NOT_FOUND',
      `There is no token with the id, address or slug ${word}. \`mintage search\` finds by name.`,
    );
  }
};
