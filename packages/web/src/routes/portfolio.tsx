import { Portfolio } from '../features/portfolio/Portfolio.tsx';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/portfolio.ts';

export default Portfolio;

export const prepare: PageModule['prepare'] = () => ({
  title: t.nav.portfolio,
  description: t.portfolio.description,
  isHidden: true,
});
