export function perSecond(value: number): string {
  return `${short(value)}/s`;
}

export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e9) return `${digits(value / 1e9)} G`;
  if (size >= 1e6) return `${digits(value / 1e6)} M`;
  if (size >= 1e4) return `${digits(value / 1e3)} k`;
  return digits(value);
}

export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${digits(size)} ${units[unit]}`;
}

export function seconds(value: number): string {
  if (value === 0) return "0";
  if (value < 0.001) return `${digits(value * 1e6)} µs`;
  return value < 1 ? `${digits(value * 1000)} ms` : `${digits(value)} s`;
}

export function percent(value: number): string {
  return `${digits(value * 100)} %`;
}

function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 100) return value.toFixed(0);
  return size >= 10 ? trimmed(value.toFixed(1)) : trimmed(value.toFixed(2));
}

function trimmed(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
