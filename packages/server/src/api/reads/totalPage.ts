/** The pagination of a page of a list that has `total` rows. */
export const totalPage = ({ limit, offset }: { limit: number; offset: number }, total: number) => ({
  limit,
  offset,
  total,
  has_more: offset + limit < total,
});
