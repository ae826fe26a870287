/**
 * The end of a function that stores commands: a conflict is undone and returned as a value. On a distributed database an
 * error of the node would make the coordinator close its connection to it, and opening another one takes longer than
 * storing a hundred commands.
 */

/** The variables that {@link returnConflict} needs. */
export const CONFLICT_DECLARATIONS = `conflict_detail text;
  conflict_constraint text;`;

/**
 * The handler of the errors that say that another command was first. What the function has done is undone; a deadlock has ended
 * with that. Every other error is raised. `places` is SQL for the commands, from 1, that conflict by themselves.
 */
export const returnConflict = (places = "null"): string => `exception
  when sqlstate 'QT001' or sqlstate 'QT002' or unique_violation or serialization_failure or deadlock_detected then
    get stacked diagnostics conflict_detail = pg_exception_detail, conflict_constraint = constraint_name;
    return json_build_object(
      'code', sqlstate, 'message', sqlerrm, 'detail', nullif(conflict_detail, ''),
      'constraint', nullif(conflict_constraint, ''), 'places', ${places});`;
