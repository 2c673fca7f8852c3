import type { ComponentChildren, JSX } from "preact";

export interface ButtonProps extends Omit<JSX.IntrinsicElements["button"], "class" | "type"> {
  /** plain is the usual one; primary is what the screen is for; danger is hard to undo; bare has no frame. */
  look?: "plain" | "primary" | "danger" | "bare";
  small?: boolean;
  submit?: boolean;
  /** What is under way: it cannot be pressed again meanwhile. */
  busy?: boolean;
  children?: ComponentChildren;
}

/** Button does something; what goes somewhere is a Link. */
export function Button({ look = "plain", small, submit, busy, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={submit ? "submit" : "button"}
      class={`button ${look}${small ? " small" : ""}`}
      disabled={disabled || busy}
      aria-busy={busy ? "true" : undefined}
    >
      {children}
    </button>
  );
}
