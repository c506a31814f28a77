import type { UpdateUserInput, UserProfile } from '@mintage/sdk';
import * as t from '../../messages/en/people.ts';

/** A profile as it is typed. */
export interface Edited {
  username: string;
  displayName: string;
  bio: string;
  links: Readonly<Record<string, string>>;
  showWallet: boolean;
  showHoldings: boolean;
}

export const linkNames = ['website', 'twitter', 'telegram', 'discord', 'youtube'] as const;
export type LinkName = (typeof linkNames)[number];

/** Characters, as the service counts them. */
export const mostBio = 280;
const mostName = 40;

const lengthOf = (text: string): number => [...text.trim()].length;

const isLink = (text: string): boolean => {
  const address = URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
  return address !== null && address.protocol === 'https:' && address.username === '' && address.hostname.includes('.');
};

export interface EditProblems {
  displayName?: string;
  bio?: string;
  /** The first that is none. */
  link?: LinkName;
}

export const problemsOf = ({ displayName, bio, links }: Edited): EditProblems => {
  const link = linkNames.find((name) => (links[name] ?? '').trim() !== '' && !isLink((links[name] ?? '').trim()));
  return {
    ...(lengthOf(displayName) > mostName && { displayName: t.profile.tooLong(mostName) }),
    ...(lengthOf(bio) > mostBio && { bio: t.profile.tooLong(mostBio) }),
    ...(link !== undefined && { link }),
  };
};

/** What differs from how it is kept; an empty text removes what was there. */
export const inputOf = (edited: Edited, user: UserProfile): UpdateUserInput => {
  const links = Object.fromEntries(
    linkNames.flatMap((name) => {
      const link = (edited.links[name] ?? '').trim();
      return link === '' ? [] : [[name, link]];
    }),
  );
  const settings = {
    ...(edited.showWallet !== (user.settings?.show_wallet ?? true) && { show_wallet: edited.showWallet }),
    ...(edited.showHoldings !== (user.settings?.show_holdings ?? false) && { show_holdings: edited.showHoldings }),
  };
  const isSame = linkNames.every((name) => links[name] === user.links[name]);
  return {
    // A name stays once there is one.
    ...(edited.username !== '' && edited.username !== user.username && { username: edited.username }),
    ...(edited.displayName.trim() !== (user.display_name ?? '') && { display_name: edited.displayName.trim() }),
    ...(edited.bio.trim() !== (user.bio ?? '') && { bio: edited.bio.trim() }),
    ...(!isSame && { links }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
};
