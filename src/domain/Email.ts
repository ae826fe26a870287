/** E-mail addresses, checked as far as that is possible without sending anything. */
import { Schema } from "effect";
import { EMAIL_MAX } from "./Limits.ts";
import { Text } from "./Text.ts";

/** Without quotes, comments and spaces, and no dot at an end or beside another. */
const LOCAL_PART = /^(?!\.)(?!.*\.\.)[^\s@"(),:;<>[\]\\\p{C}]{1,64}(?<!\.)$/u;

/** Of any script; a hyphen is at no end. */
const LABEL = /^(?!-)[\p{L}\p{M}\p{N}-]{1,63}(?<!-)$/u;

/** True if the text is a local part, and a domain of two labels or more that does not end in a number. */
const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf("@");
  const labels = text.slice(at + 1).split(".");
  return (
    LOCAL_PART.test(text.slice(0, Math.max(at, 0))) &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels[labels.length - 1] ?? "")
  );
};

/** An e-mail address, such as `ada@example.com`. Quoted local parts and addresses of hosts are not accepted. */
export const Email = Text(1, EMAIL_MAX).pipe(
  Schema.filter((text) => isEmail(text) || "must be an e-mail address, such as ada@example.com", {
    arbitrary: () => (fc) => fc.constantFrom("ada@example.com", "o'hara+1@post.example.co"),
  }),
);
