import type { TokenAbout, TokenV2 } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { webAddress } from '../../lib/strangerLink.ts';
import { tokenSaid } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/token.ts';

/** What the creator says of it: words and links of a stranger, shown as such. */
export const Said = ({ about }: { about: TokenAbout }) => {
  const { data } = useQuery(tokenSaid(about));
  const description = about.description ?? data?.description ?? null;
  const links = linksOf(data ?? null);
  const tags = data?.hashtags ?? [];
  const video = webAddress(about.video_url);
  if (description === null && links.length === 0 && tags.length === 0 && about.banner_url === null) return null;
  return (
    <section className="card pad said o4" aria-labelledby="said">
      {about.banner_url !== null && <img className="banner" src={about.banner_url} alt="" loading="lazy" />}
      <h2 id="said">{t.token.said}</h2>
      {description !== null && <p className="said-text">{description}</p>}
      {(links.length > 0 || video !== null) && (
        <ul className="said-links">
          {links.map(({ name, text, href }) => (
            <li key={name}>
              <span className="muted">{name}</span>{' '}
              {href === null ? (
                <span className="said-link">{text}</span>
              ) : (
                <a className="link said-link" href={href} target="_blank" rel="noopener nofollow ugc">
                  {text}
                </a>
              )}
            </li>
          ))}
          {video !== null && (
            <li>
              <a className="link" href={video} target="_blank" rel="noopener nofollow ugc">
                {t.token.video}
              </a>
            </li>
          )}
        </ul>
      )}
      {tags.length > 0 && (
        <ul className="tags" aria-label={t.token.tags}>
          {tags.map((tag) => (
            <li key={tag} className="tag">
              {tag}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** By their name, each once. What is no address of the web is text. */
const linksOf = (token: TokenV2 | null): { name: string; text: string; href: string | null }[] => {
  if (token === null) return [];
  const own = Object.entries(token.metadata.links);
  const named = [
    ['website', token.website_url],
    ['twitter', token.twitter_url],
  ] as const;
  const all = new Map<string, string>();
  for (const [name, value] of [...named, ...own]) if (value && !all.has(name)) all.set(name, value);
  return [...all].map(([name, value]) => {
    const href = webAddress(value);
    return { name, text: href === null ? value : value.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, ''), href };
  });
};
