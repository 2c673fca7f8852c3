import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** Field is a label, what is filled in, and what to know about it. */
export function Field({
  label,
  hint,
  children,
}: {
  label: ComponentChildren;
  hint?: ComponentChildren;
  children: (id: string, hintId: string | undefined) => ComponentChildren;
}) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id, hintId)}
      {hint && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

export interface TextFieldProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  value: string;
  onText: (text: string) => void;
  name?: string;
  type?: "text" | "number" | "password" | "datetime-local";
  required?: boolean;
  placeholder?: string;
  maxLength?: number;
}

/** TextField is a line of text. */
export function TextField({ label, hint, onText, type = "text", ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(id, hintId) => (
        <input
          autocomplete="off"
          spellcheck={false}
          {...rest}
          type={type as "text"} // which of the kinds it is makes no difference here
          id={id}
          aria-describedby={hintId}
          onInput={(e) => onText(e.currentTarget.value)}
        />
      )}
    </Field>
  );
}

/** SelectField chooses one of some values. */
export function SelectField({
  label,
  hint,
  value,
  options,
  onPick,
}: {
  label: ComponentChildren;
  hint?: ComponentChildren;
  value: string;
  options: { value: string; label: string }[];
  onPick: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(id, hintId) => (
        <select
          id={id}
          aria-describedby={hintId}
          value={value}
          onChange={(e) => onPick(e.currentTarget.value)}
        >
          {options.map((o) => (
            <option key={o.value} value={o.value}>
              {o.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Facts is a list of names with values. */
export function Facts({ facts }: { facts: [string, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
