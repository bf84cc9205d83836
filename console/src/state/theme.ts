import { effect, signal } from "@preact/signals";

export type Theme = "auto" | "light" | "dark";

const storageKey = "console-theme";

function stored(): Theme {
  const value = localStorage.getItem(storageKey);
  return value === "light" || value === "dark" ? value : "auto";
}

/** "auto": the system's choice. */
export const theme = signal<Theme>(stored());

effect(() => {
  localStorage.setItem(storageKey, theme.value);
  if (theme.value === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", theme.value);
});

export const isDark = signal(false);
const system = matchMedia("(prefers-color-scheme: dark)");
const update = (): void => {
  isDark.value = theme.value === "auto" ? system.matches : theme.value === "dark";
};
system.addEventListener("change", update);
effect(update);
