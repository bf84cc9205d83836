/** Index of the first byte that Kubernetes' decoder rejects. */
export function malformedBase64At(text: string): number | undefined {
  const data = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const padding = text.slice(data);
  const rest = data % 4;
  if (padding === "") return rest === 0 ? undefined : data - rest;
  if (!padding.startsWith("=")) return data;
  if (rest === 0 || rest === 1) return data;
  if (rest === 3) return padding === "=" ? undefined : data + 1;
  if (padding === "=") return data + 1;
  if (padding[1] !== "=") return data;
  return padding === "==" ? undefined : data + 2;
}
