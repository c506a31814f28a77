import type { Hub } from '@mintage/sdk';

/** Whether whoever looks at a hub commands others there. */
export const moderates = ({ my }: Hub): boolean => my?.role === 'owner' || my?.role === 'moderator';
