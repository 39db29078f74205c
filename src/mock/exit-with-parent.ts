/** Calls `stop` when standard input ends. Returns a function that stops listening. */
export function whenInputCloses(stop: () => void): () => void {
  const { stdin } = process;
  const end = () => {
    forget();
    stop();
  };
  const forget = () => {
    stdin.off("end", end).off("close", end).off("error", end);
    stdin.pause();
  };
  stdin.on("end", end).on("close", end).on("error", end);
  stdin.resume();
  return forget;
}
