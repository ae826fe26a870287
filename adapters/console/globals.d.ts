/** The file name of the cookbook; the build replaces it by a constant. */
declare const COOKBOOK: string;
