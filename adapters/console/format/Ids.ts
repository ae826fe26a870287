/** The end of an id, which tells records of one name apart. */
export const shortId = (id: string): string => `…${id.slice(-8)}`;
