/** Whether the target takes keyboard input, so that shortcuts must be off. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=radio], [type=checkbox]), select, textarea")
  );
}
