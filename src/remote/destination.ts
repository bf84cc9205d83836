/** The target of a call, apart from method and body. */
export interface Asked {
  /**
   * Added to the path of the server's URL. Undefined for that path itself, normalized to single slashes without a trailing one, as
   * client-go does.
   */
  readonly path?: string | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/**
 * The URL of a call, split into its parts. Created once for repeated calls, because parsing a URL costs as much as the rest of a call's
 * preparation.
 */
export class Destination {
  readonly url: URL;
  /** Path and query, as sent. */
  readonly target: string;

  constructor(base: URL, { path, query }: Asked) {
    const url = new URL(base);
    if (path !== undefined) url.pathname = `${base.pathname.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;
    else url.pathname = base.pathname.split("/").filter(Boolean).join("/");
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    this.url = url;
    this.target = url.pathname + url.search;
  }

  /** Where a redirect leads; undefined for another server. */
  redirected(location: string): Destination | undefined {
    if (!URL.canParse(location, this.url.href)) return undefined;
    const { origin, pathname, search } = new URL(location, this.url);
    if (origin !== this.url.origin) return undefined;
    return new Destination(new URL(`${origin}/${search}`), { path: pathname });
  }
}
