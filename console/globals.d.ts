/** The file name of the cookbook, which the build fills in. */
declare const COOKBOOK: string;
