import { Link, useLocation } from 'wouter';
import * as t from '../messages/en/common.ts';
import { Icon } from '../ui/icons.tsx';

const places = [
  ['/', 'list', t.nav.market],
  ['/feed', 'comment', t.nav.feed],
  ['/create', 'plus', t.nav.create],
  ['/portfolio', 'pie', t.nav.portfolio],
  ['/rewards', 'coins', t.nav.rewards],
] as const;

/** The main places, at the lower edge of a phone. */
export const TabBar = () => {
  const [path] = useLocation();
  return (
    <nav className="tabbar" aria-label={t.nav.bottom}>
      {places.map(([href, icon, text]) => (
        <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
          <Icon name={icon} />
          {text}
        </Link>
      ))}
    </nav>
  );
};
