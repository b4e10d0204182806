/**
 * The content security policy of our pages: no inline code, no inline styles, nothing loaded from
 * or sent to another host. Pictures may also come from a document (`data:`) or from a file that is
 * being imported (`blob:`).
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
