import { definitions, platformIdKeys } from '@mintage/protocol/operations';
import { readTokenActivity, wantedSubtypes } from '../reads/tokenActivity.ts';
import { shownPlatformId } from '../tokens/identity.ts';
import { requireServedToken } from '../tokens/servedToken.ts';
import { handler } from './handler.ts';

export const getTokenActivity = handler(definitions.getTokenActivity, async (context, input) => {
  const { token } = await requireServedToken(context, input.token_id);
  const wanted = wantedSubtypes({
    includeTypes: input.include_activity_types,
    ignoreTypes: input.ignore_activity_types,
    includeSubtypes: input.include_activity_subtypes,
    ignoreSubtypes: input.ignore_activity_subtypes,
  });
  const activities = await readTokenActivity(context, token, wanted, input);
  const ids = platformIdKeys(context.config.platformName, shownPlatformId(context.config, token));
  return { success: true, activities: activities.map((activity) => ({ ...activity, ...ids })) };
});
