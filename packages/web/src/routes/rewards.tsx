import { Rewards } from '../features/rewards/Rewards.tsx';
import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/rewards.ts';

export default Rewards;

export const prepare: PageModule['prepare'] = () => ({
  title: t.nav.rewards,
  description: t.rewards.description,
  isHidden: true,
});
