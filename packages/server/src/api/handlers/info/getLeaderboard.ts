import * as handlers from '../getLeaderboard.ts';
import type { InfoAnswerer } from '../info.ts';

export const getLeaderboard: InfoAnswerer<'getLeaderboard'> = async (context, input, call) => ({
  success: true,
  data: await handlers.getLeaderboard(context, input, call),
});
