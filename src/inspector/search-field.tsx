import type { RefObject } from "preact";

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Why the value is invalid. */
  readonly error?: string | undefined;
  readonly value: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly change: (text: string) => void;
  /** Enter submits the form and does not remove the focus. */
  readonly keepsFocus?: boolean;
}

/** Whether the text contains every word of the search, in any case. */
export function hasWords(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** `/` focuses the field. Escape clears it, and a second Escape removes the focus. */
export function SearchField({
  label,
  placeholder,
  error,
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
        aria-invalid={error !== undefined}
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
