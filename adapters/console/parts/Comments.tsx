/** What the partner and the customer say about a settlement to each other, and the form for more. */

import type { Settlement } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { t, translated } from "../words/Language.ts";
import { whoWords } from "../words/People.ts";
import { useWords } from "../words/Reader.ts";
import { Field, When } from "./Basics.tsx";
import { Attachments, Files, sendFiles } from "./Files.tsx";
import { ActionButton, text } from "./Forms.tsx";
import { useNames } from "./Names.ts";

export const Comments = ({
  settlement,
  done,
}: {
  readonly settlement: Settlement;
  readonly done: () => void;
}) => {
  const { principal } = useSession();
  const words = useWords();
  const names = useNames();
  const comments = settlement.events.flatMap(({ event, datetime }) =>
    event.type === "comment_settlement" ? [{ ...event, datetime }] : [],
  );
  const mayComment = principal.scopes.includes("settlements:write") && principal.kind !== "platform";
  return (
    <section class="comments" aria-label={t("Comments")}>
      <h2>{t("Comments")}</h2>
      {comments.length === 0 ? (
        <p class="note">{t("Nobody has commented on this settlement.")}</p>
      ) : (
        <ol class="timeline">
          {comments.map(({ datetime, ...event }, index) => (
            <li key={index}>
              <span class="words said">{event.text}</span>
              <Attachments id={settlement.id} event={event} />
              <span class="when">
                {t("By {who}", {
                  who: `${translated(words.sides[event.side])}${event.person === undefined ? "" : `, ${whoWords(event.person, names)}`}`,
                })}
                {", "}
                <When at={datetime} exact />
              </span>
            </li>
          ))}
        </ol>
      )}
      {mayComment && (
        <div class="actions">
          <ActionButton
            words={t("Comment")}
            title={t("Comment")}
            action={t("Send the comment")}
            consequence={[
              t("{side} reads it. A comment cannot be changed or deleted.", {
                side: translated(words.otherSide),
              }),
            ]}
            run={async (commands, fields) =>
              commands.settlements.comment(settlement.id, {
                text: text(fields, "text"),
                ...(await sendFiles(commands, settlement, fields)),
              })
            }
            done={done}
          >
            {(problemOf) => (
              <>
                <Field label="Your comment">
                  <textarea name="text" required maxLength={1000} rows={4} />
                </Field>
                <Files problemOf={problemOf} />
              </>
            )}
          </ActionButton>
        </div>
      )}
    </section>
  );
};
