import type { Hub } from '@mintage/sdk';
import type { ReactNode } from 'react';
import { decimal } from '../../lib/format.ts';
import * as t from '../../messages/en/people.ts';
import { Icon } from '../../ui/icons.tsx';

/** What needs leave to post; who has none is told why instead. */
export const MayPost = ({ hub, children }: { hub: Hub | null; children: ReactNode }) => {
  const why = hub === null ? null : whyNot(hub);
  if (why === null) return children;
  return (
    <div className="note">
      <Icon name="lock" />
      <p>{why}</p>
    </div>
  );
};

/** The least that it takes where holders post, as people read it. */
export const leastOf = ({ min_holding: least }: Hub): string | null => (least === null ? null : decimal(least, 18));

const whyNot = (hub: Hub): string | null => {
  const { my, token } = hub;
  if (my?.may_not_because === 'HUB_BANNED')
    return my.banned_until === null
      ? t.hub.mayNot.bannedForGood
      : t.hub.mayNot.banned(t.people.moment(my.banned_until));
  if (my?.may_not_because === 'HUB_MEMBERS_ONLY') return t.hub.mayNot.members;
  if (my?.may_not_because === 'HUB_HOLDERS_ONLY') return t.hub.mayNot.holders(leastOf(hub), token.symbol);
  return null;
};
