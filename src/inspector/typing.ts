/** Whether keys go into a text now, and mean nothing else. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.matches("input:not([type=radio], [type=checkbox]), select, textarea")
  );
}
