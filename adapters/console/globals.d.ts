/** The file name of the cookbook, which the build sets. */
declare const COOKBOOK: string;
