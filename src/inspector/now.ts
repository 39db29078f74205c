import { useEffect, useState } from "preact/hooks";
import { report } from "./embedded-report.js";

/** The time of now, renewed every second while something is under way; in a report, the time it was made. */
export function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(() => (report === undefined ? Date.now() : Date.parse(report.createdAt)));
  useEffect(() => {
    if (!isNeeded || report !== undefined) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return now;
}
