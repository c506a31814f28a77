import * as handlers from '../handlers/getLeaderboard.ts';
import type { InfoAnswerer } from '../handlers/info.ts';

export const getLeaderboard: InfoAnswerer<'getLeaderboard'> = async (context, input, call) => ({
  success: true,
  data: await handlers.getLeaderboard(context, input, call),
});
