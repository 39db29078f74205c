import type { RefObject } from "preact";

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** What is wrong with the value. */
  readonly problem?: string | undefined;
  readonly value: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly change: (text: string) => void;
  /** Enter submits the form of the field, and does not leave it. */
  readonly keepsFocus?: boolean;
}

/** `/` focuses the field. Escape clears it, and a second Escape leaves it. */
export function SearchField({
  label,
  placeholder,
  problem,
  value,
  field,
  change,
  keepsFocus = false,
}: SearchFieldProps) {
  return (
    <span class="search">
      <input
        type="search"
        ref={field}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        spellcheck={false}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" && (event.key !== "Enter" || keepsFocus)) return;
          if (event.key === "Escape" && value !== "") change("");
          else event.currentTarget.blur();
        }}
      />
    </span>
  );
}
