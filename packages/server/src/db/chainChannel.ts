/** Channel on which each commit to a chain's tables is announced: `{"eid": 30184, "version": 12}`. */
export const chainChannel = 'mintage_chain';

/** The endpoint id in a text of this channel. */
export const chainOfNews = (payload: string): string => String((JSON.parse(payload) as { eid: number }).eid);
