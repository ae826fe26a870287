/** How the functions are kept from plans that have outlived what they were made for. */

/**
 * Few rows are taken one by one, each by its key, whatever the planner believes: a plan outlives the statistics it was
 * made from, and one wrong guess would read a customer's every row for each one given. Many rows are joined as arrays in
 * a statement that `execute` plans anew each time, so that the planner counts what is really there.
 */
export const byKey = "set enable_seqscan = off";
