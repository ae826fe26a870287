/** Words that are the same for documents that the service issues in the partner's name and for others. */
export const same = <Words>(words: Words): readonly [selfBilled: Words, other: Words] => [words, words];
