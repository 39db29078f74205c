interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  /** Whether the key `/` leads here. */
  readonly isMain?: boolean;
  readonly change: (text: string) => void;
}

export function SearchField({ label, value, isMain = false, change }: SearchFieldProps) {
  return (
    <input
      type="search"
      class={isMain ? "main-search" : undefined}
      aria-label={label}
      aria-keyshortcuts={isMain ? "/" : undefined}
      placeholder={label}
      spellcheck={false}
      autocomplete="off"
      value={value}
      onInput={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={({ key }) => key === "Escape" && change("")}
    />
  );
}
