const policy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  // Keeps text from becoming markup or code.
  "require-trusted-types-for": "'script'",
  "trusted-types": "'none'",
};

/** With every answer of the console itself. */
export const consoleHeaders = {
  "Content-Security-Policy": Object.entries(policy)
    .map(([directive, value]) => `${directive} ${value}`)
    .join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};
