/**
 * Step 2, not released yet: changes of tables, columns, indexes and constraints since version 1. Until the release every
 * change is appended here; after it the text is frozen and a step 3 begins. Then edit in place, in the files beside this
 * one, the functions that name the column: an added column also goes into `saves.ts` and, for creations, `credit.ts`.
 *
 * A step never uses a function of ours: functions are gone while steps run, and nothing that a step makes may depend on
 * one (a generated column, a check, an index), or the next migration could not drop it. It must work on a database with
 * rows and on an empty one, for an owner that is no superuser.
 */

/** What version 2 adds to the tables of version 1. */
export const step2 = `
-- Each section says what needs it.

-- Commissions change in functions whose planner settings leave one way to them (see planning.ts); what checks their
-- settlement must not be planned there, but at the end of the transaction.
alter table quittance.commissions drop constraint commissions_customer_id_open_settlement_id_fkey;
alter table quittance.commissions add constraint commissions_customer_id_open_settlement_id_fkey
  foreign key (customer_id, open_settlement_id) references quittance.settlements (customer_id, id)
  deferrable initially deferred;
`;
