import type { UpdateUserInput, UserProfile } from '@mintage/sdk';
import { type LinkName, linkNames, typedLink } from '../../lib/links.ts';
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

/** Characters, as the service counts them. */
export const mostBio = 280;
const mostName = 40;

const lengthOf = (text: string): number => [...text.trim()].length;

/** The service takes no other of people. */
const isLink = (text: string): boolean => {
  const address = typedLink(text.trim());
  return address?.protocol === 'https:' && address.username === '' && address.password === '';
};

export interface EditProblems {
  displayName?: string;
  bio?: string;
  /** The first that is none. */
  link?: LinkName;
}

export const problemsOf = ({ displayName, bio, links }: Edited): EditProblems => {
  const link = linkNames.find((name) => (links[name] ?? '').trim() !== '' && !isLink(links[name] ?? ''));
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
