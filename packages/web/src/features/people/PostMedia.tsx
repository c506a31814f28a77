import type { PostedMedia } from '@mintage/sdk';
import * as t from '../../messages/en/people.ts';

/** Pictures in a row, or a film. A picture opens whole by itself. */
export const PostMedia = ({ media }: { media: readonly PostedMedia[] }) => {
  if (media.length === 0) return null;
  return (
    <div className="post-media" data-count={media.length}>
      {media.map((one, at) =>
        one.type === 'video' ? (
          // Nobody wrote down what is said in it.
          <video key={one.cid} src={one.url} controls preload="metadata" />
        ) : (
          <a key={`${one.cid} ${at}`} href={one.url} target="_blank" rel="noopener">
            <img
              src={one.url}
              alt={t.posts.picture(at + 1, media.length)}
              width={one.width ?? undefined}
              height={one.height ?? undefined}
              loading="lazy"
              decoding="async"
            />
          </a>
        ),
      )}
    </div>
  );
};
