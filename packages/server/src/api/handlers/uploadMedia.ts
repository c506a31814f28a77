import { invalid } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { checkFilm, postedMedia } from '../people/postedMedia.ts';
import { handler } from './handler.ts';

export const uploadMedia = handler(definitions.uploadMedia, async (context, { data, url, kind }, call) => {
  const { media } = context;
  const source = data ?? url;
  if (source === undefined || (data !== undefined && url !== undefined)) throw invalid('', 'name one of data and url');
  if (data !== undefined && !/^data:/i.test(data)) throw invalid('data', 'must be a data URI');
  if (url !== undefined && /^data:/i.test(url)) throw invalid('url', 'must be a web address');
  const asker = { owner: call.caller.userId, address: call.address, ...(call.gone && { gone: call.gone() }) };
  const check = {
    avatar: () => media.portrait(source, asker),
    image: () => media.image(source, asker),
    video: () => checkFilm(context, source, asker),
  };
  const file = await check[kind]();
  await media.storeForNow([file], asker);
  return { success: true, media: postedMedia(file) };
});
