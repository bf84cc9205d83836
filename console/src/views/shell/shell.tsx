import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { forgetDrafts } from "../../state/drafts.ts";
import { route } from "../../state/route.ts";
import { session, signOut } from "../../state/session.ts";
import { type Theme, theme } from "../../state/theme.ts";
import { Navigation } from "./navigation.tsx";

/** The frame of every page: the signed-in user and the navigation. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const isOpen = useSignal(false);
  // A new page closes the drawer.
  useEffect(() => {
    isOpen.value = false;
  }, [route.value]);
  const current = session.value;
  if (current === undefined || current === "unknown") return null;
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <header class="top">
        <button
          type="button"
          class="icon menu"
          aria-label="Navigation"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <MenuIcon />
        </button>
        <a class="brand" href="#/">
          {current.server.name}
        </a>
        <span class="version" title={current.server.version}>
          {current.server.version}
        </span>
        <span class="space" />
        <ThemeChoice />
        <span class="user" title={[current.user, ...current.groups].join("\n")}>
          {current.user}
        </span>
        <button
          type="button"
          onClick={() => {
            forgetDrafts();
            void signOut();
          }}
        >
          Sign out
        </button>
      </header>
      <nav class={isOpen.value ? "side open" : "side"} aria-label="Resources">
        <Navigation />
      </nav>
      {isOpen.value && (
        <button
          type="button"
          class="veil"
          aria-label="Close the navigation"
          onClick={() => {
            isOpen.value = false;
          }}
        />
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Not a link, because the URL's fragment is the route. */
function skip(): void {
  document.getElementById("main")?.focus();
}

const themes: Readonly<Record<Theme, string>> = { auto: "System", light: "Light", dark: "Dark" };

function ThemeChoice() {
  return (
    <select
      aria-label="Colours"
      class="quiet"
      value={theme}
      onChange={({ currentTarget: { value } }) => {
        theme.value = value === "light" || value === "dark" ? value : "auto";
      }}
    >
      {Object.entries(themes).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

function MenuIcon() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" />
    </svg>
  );
}
