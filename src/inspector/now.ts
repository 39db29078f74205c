import { useEffect, useState } from "preact/hooks";
import { report } from "./embedded-report.js";

/** The current time, updated every second while `isNeeded`. In a report, the time when it was created. */
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
