/** Downloads the content as an indented JSON file. */
export function download(name: string, content: object): void {
  const text = `${JSON.stringify(content, undefined, 2)}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
