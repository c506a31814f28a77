import type { PostEntity } from '@mintage/sdk';
import { Link } from 'wouter';
import { webAddress } from '../../lib/strangerLink.ts';
import { partsOf } from './parts.ts';

/** What a stranger wrote: text, and links where the service found something in it. Nothing of it is ever markup. */
export const PostText = ({ text, entities }: { text: string; entities: readonly PostEntity[] }) => (
  <p className="post-text" dir="auto">
    {partsOf(text, entities).map(({ at, text: piece, entity }) =>
      entity === null ? piece : <Meaning key={at} text={piece} entity={entity} />,
    )}
  </p>
);

const Meaning = ({ text, entity: { kind, value } }: { text: string; entity: PostEntity }) => {
  if (kind !== 'link')
    return (
      <Link className="link" href={`${places[kind]}${encodeURIComponent(value)}`}>
        {text}
      </Link>
    );
  const href = webAddress(value);
  if (href === null) return text;
  return (
    <a className="link" href={href} target="_blank" rel="noopener nofollow ugc">
      {text}
    </a>
  );
};

const places = { mention: '/user/', tag: '/feed?tag=', token: '/token/' } as const;
