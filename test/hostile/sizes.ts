/** About as many as a body has room for: short values, items of two members. As many of them as can be stored. And items of one fault each. */
export const most = { members: 100_000, pairs: 45_000, stored: 24_000, refused: 50_000 };
