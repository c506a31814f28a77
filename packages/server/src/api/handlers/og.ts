import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { previewSeconds } from '../media/previews.ts';
import { tokenPreview } from '../reads/tokenPreview.ts';
import { awaitToken } from '../tokens/tokenRef.ts';
import { handler } from './handler.ts';

const headers = {
  'cache-control': `public, max-age=${previewSeconds}`,
  'content-type': 'image/png',
  'cross-origin-resource-policy': 'cross-origin',
};

export const og = handler(definitions.og, async (context, { token: file }, { caller, address }) => {
  const token = await awaitToken(context, file.slice(0, -'.png'.length));
  if (token === null || token.unlisted_because !== null)
    throw new MintageError('NOT_FOUND', `There is no picture ${file.slice(0, 80)} here`);
  const asker = { owner: caller?.userId ?? address, address };
  return { body: await context.media.preview(token.token_id, tokenPreview(context, token), asker), headers };
});
