import { Portfolio } from '../features/portfolio/Portfolio.tsx';
import type { PageModule } from '../lib/route.ts';
import { t } from '../messages/t.ts';

export default Portfolio;

export const prepare: PageModule['prepare'] = () => ({
  title: t.nav.portfolio,
  description: t.portfolio.description,
  isHidden: true,
});
